package dev.cairn.engine.region;

import dev.cairn.engine.hfile.reader.WarmUpPace;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.StoreWarmUp;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The store files of a region that another server still serves, opened ahead: their indexes, Bloom
 * filters and hot blocks are in the cache. {@link RegionOpening} takes the files over. Closing it
 * drops the files that no region has taken over. Writes nothing. Not thread-safe.
 */
public final class RegionWarmUp implements Closeable {
  private final List<StoreWarmUp> stores = new ArrayList<>();
  private int blocks;

  private RegionWarmUp() {}

  /**
   * Opens and reads the files of all families.
   *
   * @param hot the hot blocks of the region
   * @param pace limits the reading of hot blocks
   */
  public static RegionWarmUp run(
      RegionInfo info, TableSchema schema, RegionContext context, HotBlocks hot, WarmUpPace pace)
      throws IOException {
    RegionWarmUp region = new RegionWarmUp();
    boolean complete = false;
    try {
      region.read(info, schema, context, hot, pace);
      complete = true;
      return region;
    } finally {
      region.stores.forEach(StoreWarmUp::done);
      if (!complete) {
        region.close();
      }
    }
  }

  private void read(
      RegionInfo info, TableSchema schema, RegionContext context, HotBlocks hot, WarmUpPace pace)
      throws IOException {
    RegionDirectory directory = RegionDirectory.of(context.dataDirectory(), info);
    for (FamilySchema family : schema.families()) {
      StoreContext own = context.stores().forFamily(schema, family);
      StoreWarmUp store = StoreWarmUp.open(info, family, directory, own);
      stores.add(store);
      String name = family.nameAsString();
      blocks += store.read(file -> hot.offsets(name, file), pace);
    }
  }

  /** Returns the number of files that were opened. */
  public int files() {
    return stores.stream().mapToInt(StoreWarmUp::files).sum();
  }

  /** Returns the number of hot blocks that are in the cache. */
  public int blocks() {
    return blocks;
  }

  @Override
  public void close() {
    stores.forEach(StoreWarmUp::close);
  }
}
