package dev.cairn.engine.region.lifecycle;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.region.RegionContext;
import dev.cairn.engine.region.state.RegionClosedException;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.RegionInfoFormat;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.StoreSplit;
import dev.cairn.engine.time.SideBySide;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Splits a region in two. No cell is copied: the daughters refer to the parent's files until their
 * own compactions have rewritten their part.
 *
 * <p>The steps, each harmless if done twice:
 *
 * <ol>
 *   <li>{@link #prepareDaughters} makes everything that does not depend on the parent's files,
 *       while the parent serves; this step is optional;
 *   <li>the parent is closed, with everything flushed;
 *   <li>{@link #writeDaughters}: both daughters' directories appear beside the parent's, with
 *       references, links and the parent's last sequence number in {@code recovered.edits}; in each
 *       the {@code .regioninfo} comes last, as HBase 2.6 lays them out;
 *   <li>somebody decides that the daughters count from now on: a master in {@code hbase:meta}; or,
 *       where there is none, {@link #commit} in the parent's own {@code .regioninfo};
 *   <li>the daughters are opened. Their next compactions rewrite the references;
 *   <li>{@link RegionFamilyTree#retire} archives the parent when nothing refers to it any more.
 * </ol>
 *
 * Before the decision the parent can be opened again, and {@link #abandon} removes the parts of the
 * daughters. {@link #run} does all up to the decision for an engine without a catalog; after a
 * crash, {@link RegionFamilyTree#settle} returns the valid regions.
 *
 * <pre>
 *   Optional&lt;byte[]&gt; row = region.splitPoint();
 *   RegionSplit split = RegionSplit.plan(region, row.get());
 *   split.run(region);                      // closes the region
 *   Region.open(split.lower(), schema, context);
 *   Region.open(split.upper(), schema, context);
 * </pre>
 *
 * Not thread-safe; one split of a region at a time.
 */
public final class RegionSplit {
  private final RegionInfo parent;
  private final byte[] row;
  private final RegionInfo lower;
  private final RegionInfo upper;

  /** True if this object has prepared the daughters and not touched them since. */
  private boolean prepared;

  private RegionSplit(RegionInfo parent, byte[] row, long regionId) {
    this.parent = parent;
    this.row = row;
    this.lower = new RegionInfo(parent.table(), parent.startKey(), row, regionId);
    this.upper = new RegionInfo(parent.table(), row, parent.endKey(), regionId);
  }

  /**
   * Plans to split an open region before {@code row}.
   *
   * @throws IllegalArgumentException if the row is the region's first, outside of it, or too long;
   *     or if the region cannot be split at all
   * @throws IOException if the region still has references of an earlier split: they have to be
   *     compacted first
   */
  public static RegionSplit plan(Region region, byte[] row) throws IOException {
    if (region.hasReferences()) {
      throw new IOException(
          region
              + " still refers to files of the region that it was split from; compact it before it"
              + " is split again");
    }
    return plan(region.info(), row, region.context().stores().clock().currentTimeMillis());
  }

  /**
   * Plans to split a region whose files hold all it has.
   *
   * @param nowMillis the time, milliseconds since 1970: the daughters' region id, if it is above
   *     the parent's
   * @throws IllegalArgumentException if the row is the region's first, outside of it, or too long;
   *     or if the region cannot be split at all
   */
  public static RegionSplit plan(RegionInfo parent, byte[] row, long nowMillis) {
    if (parent.table().isMeta() || parent.replicaId() != 0 || parent.split()) {
      throw new IllegalArgumentException(parent + " cannot be split");
    }
    if (row.length > Short.MAX_VALUE || !parent.isWithin(row)) {
      throw new IllegalArgumentException(
          "Cannot split %s before %s: the row must lie in the region and not be its first"
              .formatted(parent, Bytes.toStringBinary(row)));
    }
    return new RegionSplit(parent, row.clone(), Math.max(nowMillis, parent.regionId() + 1));
  }

  /**
   * Returns a split that was planned before.
   *
   * @throws IllegalArgumentException as for {@link #plan(RegionInfo, byte[], long)}
   */
  public static RegionSplit planned(RegionInfo parent, RegionInfo upper) {
    return plan(parent, upper.startKey(), upper.regionId());
  }

  /** Returns the region that is split. */
  public RegionInfo parent() {
    return parent;
  }

  /** Returns the daughter with the rows before the border. */
  public RegionInfo lower() {
    return lower;
  }

  /** Returns the daughter with the rows at and after the border. */
  public RegionInfo upper() {
    return upper;
  }

  /**
   * Closes the parent, writes the daughters and commits. If it throws, {@link
   * RegionFamilyTree#settle} returns the valid regions: nothing is lost either way.
   *
   * @throws RegionClosedException if someone else has closed or closes the region; nothing is done
   */
  public void run(Region region) throws IOException {
    if (!region.info().equals(parent)) {
      throw new IllegalArgumentException(region + " is not " + parent);
    }
    RegionContext context = region.context();
    prepareDaughters(region.schema(), context.dataDirectory(), context.stores());
    boolean closed = false;
    try {
      closed = region.close(false);
    } finally {
      if (!closed) {
        abandon(context.dataDirectory(), context.stores().storage());
      }
    }
    if (!closed) {
      throw new RegionClosedException(region + " has been closed; it cannot be split now");
    }
    writeDaughters(region.schema(), context.dataDirectory(), context.stores());
    commit(context.dataDirectory(), context.stores().storage());
  }

  /**
   * Makes everything of the daughters that does not depend on the parent's files, so that {@link
   * #writeDaughters} of this object takes less time. The parent may be open. First removes all that
   * exists of the daughters.
   */
  public void prepareDaughters(TableSchema schema, String dataDirectory, StoreContext context)
      throws IOException {
    abandon(dataDirectory, context.storage());
    RegionCreation birth = new RegionCreation(dataDirectory, context.storage());
    birth.prepare(lower, schema);
    birth.prepare(upper, schema);
    prepared = true;
  }

  /**
   * Makes the daughters' directories, or completes those that {@link #prepareDaughters} made. The
   * parent must be flushed and closed.
   *
   * @throws IOException also if the parent has something in {@code recovered.edits}, files of an
   *     interrupted bulk load, or references: it has to be opened, or compacted, first
   */
  public void writeDaughters(TableSchema schema, String dataDirectory, StoreContext context)
      throws IOException {
    if (!prepared) {
      prepareDaughters(schema, dataDirectory, context);
    }
    prepared = false;
    RegionCreation birth = new RegionCreation(dataDirectory, context.storage());
    AtomicLong sequence = new AtomicLong(birth.checkFlushed(parent));
    List<SideBySide.Part> families = new ArrayList<>();
    for (FamilySchema family : schema.families()) {
      StoreSplit split =
          new StoreSplit(context.forFamily(schema, family), parent.comparator(), row);
      families.add(
          () -> {
            long ofFamily =
                split.split(
                    birth.store(parent, family),
                    birth.store(lower, family),
                    birth.store(upper, family));
            sequence.accumulateAndGet(ofFamily, Math::max);
          });
    }
    SideBySide.run(context.helpers(), families);
    SideBySide.run(
        context.helpers(),
        List.of(
            () -> birth.complete(lower, sequence.get()),
            () -> birth.complete(upper, sequence.get())));
  }

  /**
   * Removes the files of {@link #prepareDaughters} and {@link #writeDaughters}, complete or not.
   */
  public void abandon(String dataDirectory, Storage storage) throws IOException {
    prepared = false;
    RegionFamilyTree tree = new RegionFamilyTree(parent.table(), dataDirectory, storage);
    tree.discard(lower.encodedName());
    tree.discard(upper.encodedName());
  }

  /**
   * Commits the split in one step: the parent's {@code .regioninfo} marks it as split from now on.
   * Not for tables that {@code hbase:meta} lists, whose decision is made there.
   */
  public void commit(String dataDirectory, Storage storage) throws IOException {
    RegionInfo split =
        new RegionInfo(
            parent.table(),
            parent.startKey(),
            parent.endKey(),
            parent.regionId(),
            parent.replicaId(),
            true,
            true);
    storage.writeAll(
        RegionDirectory.of(dataDirectory, parent).regionInfo(), RegionInfoFormat.toFile(split));
  }

  @Override
  public String toString() {
    return parent + " into " + lower + " and " + upper;
  }
}
