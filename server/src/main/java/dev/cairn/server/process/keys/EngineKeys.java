package dev.cairn.server.process.keys;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.region.state.FlushPolicy;
import dev.cairn.engine.region.state.FlushSettings;
import dev.cairn.engine.region.state.RegionSettings;
import dev.cairn.engine.schema.CellSizeLimit;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.regionserver.client.CallLimits;
import dev.cairn.server.regionserver.maintenance.MaintenanceSettings;
import java.util.List;
import java.util.OptionalLong;

/** The keys of the engine, and the engine's settings made from them. */
public final class EngineKeys {
  public static final ConfigKey<Double> CACHE_SHARE =
      share("hfile.block.cache.size", 0.4, "Maximum share of the heap for the block cache.");

  static final ConfigKey<Long> BLOCK_MULTIPLIER =
      ConfigKey.number(
          "hbase.hregion.memstore.block.multiplier",
          4,
          1,
          1000,
          "Memstore size at which a region refuses writes until it is flushed, as a multiple"
              + " of the flush size.");

  static final ConfigKey<FlushPolicy> FLUSH_POLICY =
      new ConfigKey<>(
          "hbase.regionserver.flush.policy",
          "org.apache.hadoop.hbase.regionserver.FlushAllLargeStoresPolicy",
          "org.apache.hadoop.hbase.regionserver.FlushAllLargeStoresPolicy, FlushAllStoresPolicy or"
              + " FlushNonSloppyStoresFirstPolicy there",
          "Families of a region that are flushed when its memstore is full: the large ones,"
              + " or all. A table can override it (FLUSH_POLICY)."
              + " FlushNonSloppyStoresFirstPolicy means the large ones, too.",
          FlushPolicy::require,
          value -> true);

  static final ConfigKey<Long> FLUSH_LOWER_BOUND_MIN_BYTES =
      ConfigKey.number(
          FlushSettings.LOWER_BOUND_MIN_KEY,
          16L << 20,
          0,
          Long.MAX_VALUE,
          "Minimum memstore size of a \"large\" family, in bytes. The region's flush size"
              + " divided by the number of its families applies if it is larger. A table can"
              + " set its own size under the same name without .min.");

  static final ConfigKey<Long> FLUSH_CHANGES =
      ConfigKey.number(
          FlushSettings.CHANGES_KEY,
          30_000_000,
          1,
          FlushSettings.CHANGES_LIMIT,
          "Number of later writes to a region after which a write is flushed in any case.");

  static final ConfigKey<Long> ROW_LOCK_MILLIS =
      ConfigKey.number(
          "hbase.rowlock.wait.duration",
          30_000,
          1,
          Integer.MAX_VALUE,
          "Maximum time that a write waits for a row lock, in milliseconds.");

  static final ConfigKey<Long> AHEAD_MILLIS =
      ConfigKey.number(
          RegionSettings.AHEAD_KEY,
          RegionSettings.ANY_TIMESTAMP,
          0,
          RegionSettings.ANY_TIMESTAMP,
          "Maximum lead of a put's timestamp over the server's clock, in milliseconds. The"
              + " default allows any timestamp.");

  public static final ConfigKey<Boolean> ORDER_BY_WRITE =
      ConfigKey.flag(
          "cairn.new.version.behavior.default",
          false,
          "NEW_VERSION_BEHAVIOR of families that do not set it: whether the write order, and"
              + " not timestamps alone, decides which cells a delete marker hides and which"
              + " versions are kept. HBase has no such key; its default is false. Set it before"
              + " there is data: compaction without it discards the write order.");

  public static final ConfigKey<StoreFileTracking.Kind> FILE_TRACKER =
      new ConfigKey<>(
          StoreFileTracking.KEY,
          "DEFAULT",
          "DEFAULT or FILE",
          "Store file tracker, which decides which files belong to a store: all files in its"
              + " directory (DEFAULT), or those in a list (FILE), which needs no rename. It is"
              + " set in the descriptors of new tables; change_sft changes it for others.",
          text ->
              StoreFileTracking.Kind.of(text)
                  .orElseThrow(() -> new IllegalArgumentException("no store file tracker")),
          kind -> true);

  private EngineKeys() {}

  /** Returns all keys of this class. */
  static List<ConfigKey<?>> all() {
    return List.of(
        CACHE_SHARE,
        BLOCK_MULTIPLIER,
        FLUSH_POLICY,
        FLUSH_LOWER_BOUND_MIN_BYTES,
        FLUSH_CHANGES,
        ROW_LOCK_MILLIS,
        AHEAD_MILLIS,
        ORDER_BY_WRITE,
        FILE_TRACKER);
  }

  public static RegionSettings regions(SiteConfig config, MemoryAccount memory) {
    return new RegionSettings(
        config.get(MaintenanceSettings.REGION_FLUSH_BYTES),
        config.get(BLOCK_MULTIPLIER).intValue(),
        config.get(ROW_LOCK_MILLIS),
        CallLimits.cellSize(config, memory),
        config.get(AHEAD_MILLIS),
        new FlushSettings(
            config.get(FLUSH_POLICY),
            config.get(FLUSH_LOWER_BOUND_MIN_BYTES),
            OptionalLong.empty(),
            config.get(MaintenanceSettings.FLUSH_INTERVAL_MILLIS),
            config.get(FLUSH_CHANGES)));
  }

  /** Returns the settings of the master's own region, which no user's limit of cells concerns. */
  public static RegionSettings masterStore(SiteConfig config) {
    RegionSettings regions = regions(config, MemoryAccount.unlimited());
    return new RegionSettings(
        regions.memStoreFlushBytes(),
        regions.memStoreBlockMultiplier(),
        regions.rowLockWaitMillis(),
        CellSizeLimit.of(0),
        RegionSettings.ANY_TIMESTAMP,
        regions.flushes());
  }

  private static ConfigKey<Double> share(String name, double defaultValue, String sentence) {
    return new ConfigKey<>(
        name,
        Double.toString(defaultValue),
        "a share from 0.01 to 0.8",
        sentence,
        Double::parseDouble,
        value -> value >= 0.01 && value <= 0.8);
  }
}
