package dev.cairn.server.catalog;

import dev.cairn.engine.layout.HFileArchive;
import dev.cairn.engine.layout.MobDirectory;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.layout.StoreFileName;
import dev.cairn.engine.region.RegionSnapshot;
import dev.cairn.engine.region.lifecycle.RegionMerge;
import dev.cairn.engine.region.lifecycle.RegionSplit;
import dev.cairn.engine.region.lifecycle.RegionTruncation;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.FencedStorage;
import dev.cairn.engine.storage.RedirectedStorage;
import dev.cairn.engine.store.StoreClone;
import dev.cairn.engine.store.StoreContext;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Changes the directories of closed regions: splits, merges and empties them. Heirs are made in the
 * staging area of the master and appear with one rename each. Each operation can be repeated, and
 * has no effect if a replaced master runs it. Thread-safe as long as no two threads change the same
 * region.
 */
public final class RegionShapes {
  private static final String DATA = "data";

  private final StoreContext stores;
  private final FencedStorage fenced;

  /**
   * Creates it for the root directory that is the storage of {@code stores}.
   *
   * @param fenced the same directory, which a master owns before it calls this object
   */
  public RegionShapes(StoreContext stores, FencedStorage fenced) {
    this.stores = stores;
    this.fenced = fenced;
  }

  /**
   * Makes everything of a split's daughters that does not depend on the parent's files. The parent
   * may be open.
   */
  public void prepare(RegionSplit split, TableSchema schema) throws IOException {
    split.prepareDaughters(schema, DATA, staged(split.lower(), split.upper()));
  }

  /** Makes the directories of a split's daughters. */
  public void write(RegionSplit split, TableSchema schema) throws IOException {
    split.writeDaughters(schema, DATA, staged(split.lower(), split.upper()));
    publish(split.lower());
    publish(split.upper());
  }

  /** Removes the daughters of a split, complete or not. */
  public void abandon(RegionSplit split) throws IOException {
    split.abandon(DATA, fenced);
    discardStaged(split.lower());
    discardStaged(split.upper());
  }

  /**
   * Makes everything of a merged region that does not depend on the parents' files. The parents may
   * be open.
   */
  public void prepare(RegionMerge merge, TableSchema schema) throws IOException {
    merge.prepare(schema, DATA, staged(merge.merged()));
  }

  /** Makes the directory of a merged region. */
  public void write(RegionMerge merge, TableSchema schema) throws IOException {
    merge.write(schema, DATA, staged(merge.merged()));
    publish(merge.merged());
  }

  /** Removes a merged region, complete or not. */
  public void abandon(RegionMerge merge) throws IOException {
    merge.abandon(DATA, fenced);
    discardStaged(merge.merged());
  }

  /** Returns the store files of a closed region. */
  public RegionSnapshot snapshot(RegionInfo region, TableSchema schema) throws IOException {
    return RegionSnapshot.read(region, schema, DATA, stores);
  }

  /**
   * Returns a clone of a store, which refers to files of other stores.
   *
   * @param directory the directory in which the region is built before it moves to its place
   */
  public StoreClone clone(
      RegionInfo region, TableSchema schema, FamilySchema family, String directory) {
    String name = family.nameAsString();
    return new StoreClone(
        stores.in(fenced).forFamily(schema, family),
        new StoreDirectory(DATA, region.table(), region.encodedName(), name),
        directory + "/" + name);
  }

  /** Makes a link to a MOB file in the directory of a table's MOB files. */
  public void link(MobDirectory directory, StoreFileName.Link link) throws IOException {
    new HFileArchive(fenced).link(directory.place(), link, directory.path());
  }

  /** Empties a region. */
  public void truncate(RegionInfo region, TableSchema schema) throws IOException {
    RegionTruncation.run(region, schema, DATA, stores.in(fenced));
  }

  /** Returns the context in which the directories of {@code heirs} are in the staging area. */
  private StoreContext staged(RegionInfo... heirs) throws IOException {
    Map<String, String> places = new HashMap<>();
    for (RegionInfo heir : heirs) {
      places.put(TableFiles.directory(heir), staging(heir));
    }
    return stores.in(new RedirectedStorage(fenced, places));
  }

  /** Puts the directory of an heir in its place, where an earlier attempt may have left one. */
  private void publish(RegionInfo heir) throws IOException {
    fenced.delete(TableFiles.directory(heir));
    fenced.rename(staging(heir), TableFiles.directory(heir));
  }

  private void discardStaged(RegionInfo heir) throws IOException {
    fenced.discard(staging(heir));
  }

  private String staging(RegionInfo heir) throws IOException {
    return fenced.staging() + "/" + TableFiles.directory(heir);
  }
}
