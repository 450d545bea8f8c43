package dev.cairn.engine.region.lifecycle;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.StoreMerge;
import dev.cairn.engine.time.SideBySide;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Merges regions into one, mostly regions that lie side by side. No cell is copied: the merged
 * region refers to its parents' files until its own compactions have rewritten them.
 *
 * <p>The steps, each harmless if done twice:
 *
 * <ol>
 *   <li>{@link #prepare} makes everything that does not depend on the parents' files, while the
 *       parents serve; this step is optional;
 *   <li>the parents are closed, with everything flushed;
 *   <li>{@link #write}: the merged region's directory appears beside theirs, with references to
 *       their files; its {@code .regioninfo} comes last;
 *   <li>a master decides, in {@code hbase:meta}, that it counts from now on and they do not;
 *   <li>it is opened. Its next compactions rewrite the references;
 *   <li>{@link RegionFamilyTree#retire} archives each parent when nothing refers to it any more.
 * </ol>
 *
 * Before the decision the parents can be opened again, and {@link #abandon} removes what there is
 * of the merged region. Not thread-safe.
 */
public final class RegionMerge {
  private final List<RegionInfo> parents;
  private final RegionInfo merged;

  /** True if this object has prepared the merged region and not touched it since. */
  private boolean prepared;

  private RegionMerge(List<RegionInfo> parents, RegionInfo merged) {
    this.parents = parents;
    this.merged = merged;
  }

  /**
   * Plans to merge regions whose files hold all they have.
   *
   * @param regions at least two, in any order
   * @param nowMillis the time, milliseconds since 1970: the merged region's id, if it is above the
   *     parents'
   * @throws IllegalArgumentException if they are not of one table, or there is a gap between them,
   *     or they overlap, or one cannot be merged at all
   */
  public static RegionMerge plan(List<RegionInfo> regions, long nowMillis) {
    RegionMerge merge = forced(regions, nowMillis);
    for (int i = 1; i < merge.parents.size(); i++) {
      checkAdjacent(merge.parents.get(i - 1), merge.parents.get(i));
    }
    return merge;
  }

  /**
   * As {@link #plan}, also of regions that overlap or with gaps between them: the merged region has
   * all rows from the first to the last. The caller sees to it that no other region has some of
   * these rows.
   */
  public static RegionMerge forced(List<RegionInfo> regions, long nowMillis) {
    if (regions.size() < 2) {
      throw new IllegalArgumentException("It takes two regions to merge, not " + regions.size());
    }
    List<RegionInfo> sorted = new ArrayList<>(regions);
    sorted.sort((a, b) -> a.comparator().compareRows(a.startKey(), b.startKey()));
    RegionInfo first = sorted.get(0);
    byte[] end = first.endKey();
    long regionId = nowMillis;
    for (RegionInfo region : sorted) {
      if (region.table().isMeta() || region.replicaId() != 0 || region.split()) {
        throw new IllegalArgumentException(region + " cannot be merged");
      }
      if (!region.table().equals(first.table())) {
        throw new IllegalArgumentException(
            "Cannot merge regions of different tables: " + first + " and " + region);
      }
      regionId = Math.max(regionId, region.regionId() + 1);
      boolean further = first.comparator().compareRows(region.endKey(), end) > 0;
      end = end.length > 0 && (region.endKey().length == 0 || further) ? region.endKey() : end;
    }
    return new RegionMerge(
        List.copyOf(sorted), new RegionInfo(first.table(), first.startKey(), end, regionId));
  }

  /**
   * Returns a merge that was planned before.
   *
   * @throws IllegalArgumentException as for {@link #forced}
   */
  public static RegionMerge planned(List<RegionInfo> parents, RegionInfo merged) {
    return forced(parents, merged.regionId());
  }

  /** Returns the regions that are merged, in the order of their rows. */
  public List<RegionInfo> parents() {
    return parents;
  }

  /** Returns the region that takes their place. */
  public RegionInfo merged() {
    return merged;
  }

  /**
   * Makes everything of the merged region that does not depend on the parents' files, so that
   * {@link #write} of this object takes less time. The parents may be open. First removes all that
   * exists of the merged region.
   */
  public void prepare(TableSchema schema, String dataDirectory, StoreContext context)
      throws IOException {
    abandon(dataDirectory, context.storage());
    new RegionCreation(dataDirectory, context.storage()).prepare(merged, schema);
    prepared = true;
  }

  /**
   * Makes the merged region's directory, or completes the one that {@link #prepare} made. The
   * parents must be flushed and closed.
   *
   * @throws IOException also if a parent has something in {@code recovered.edits}, files of an
   *     interrupted bulk load, or references: it has to be opened, or compacted, first
   */
  public void write(TableSchema schema, String dataDirectory, StoreContext context)
      throws IOException {
    if (!prepared) {
      prepare(schema, dataDirectory, context);
    }
    prepared = false;
    RegionCreation birth = new RegionCreation(dataDirectory, context.storage());
    AtomicLong sequence = new AtomicLong();
    for (RegionInfo parent : parents) {
      sequence.accumulateAndGet(birth.checkFlushed(parent), Math::max);
    }
    List<SideBySide.Part> families = new ArrayList<>();
    for (FamilySchema family : schema.families()) {
      StoreMerge merge =
          new StoreMerge(
              context.forFamily(schema, family), merged.comparator(), birth.store(merged, family));
      families.add(
          () -> {
            for (RegionInfo parent : parents) {
              long ofParent = merge.add(birth.store(parent, family), parent.startKey());
              sequence.accumulateAndGet(ofParent, Math::max);
            }
            merge.complete();
          });
    }
    SideBySide.run(context.helpers(), families);
    birth.complete(merged, sequence.get());
  }

  /** Removes the files of {@link #prepare} and {@link #write}, complete or not. */
  public void abandon(String dataDirectory, Storage storage) throws IOException {
    prepared = false;
    new RegionFamilyTree(merged.table(), dataDirectory, storage).discard(merged.encodedName());
  }

  private static void checkAdjacent(RegionInfo lower, RegionInfo upper) {
    if (!Arrays.equals(lower.endKey(), upper.startKey()) || upper.startKey().length == 0) {
      throw new IllegalArgumentException(
          "Unable to merge non-adjacent or overlapping regions "
              + lower
              + " and "
              + upper
              + " when force=false");
    }
  }

  @Override
  public String toString() {
    return parents + " into " + merged;
  }
}
