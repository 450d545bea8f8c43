package dev.cairn.server.catalog;

import dev.cairn.engine.region.RegionMerge;
import dev.cairn.engine.region.RegionSplit;
import dev.cairn.engine.region.RegionTruncation;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.store.StoreEnvironment;
import java.io.IOException;

/**
 * Changes the directories of closed regions: splits, merges and empties them. Everything can be
 * done twice. Thread-safe as far as no two threads change the same region.
 */
public final class RegionShapes {
  private static final String DATA = "data";

  private final StoreEnvironment stores;

  /** Creates it for the root directory that is the storage of {@code stores}. */
  public RegionShapes(StoreEnvironment stores) {
    this.stores = stores;
  }

  /** Makes the directories of a split's daughters. */
  public void write(RegionSplit split, TableSchema schema) throws IOException {
    split.writeDaughters(schema, DATA, stores);
  }

  /** Removes what there is of a split's daughters. */
  public void abandon(RegionSplit split) throws IOException {
    split.abandon(DATA, stores.storage());
  }

  /** Makes the directory of a merged region. */
  public void write(RegionMerge merge, TableSchema schema) throws IOException {
    merge.write(schema, DATA, stores);
  }

  /** Removes what there is of a merged region. */
  public void abandon(RegionMerge merge) throws IOException {
    merge.abandon(DATA, stores.storage());
  }

  /** Empties a region. */
  public void truncate(RegionInfo region, TableSchema schema) throws IOException {
    RegionTruncation.run(region, schema, DATA, stores);
  }
}
