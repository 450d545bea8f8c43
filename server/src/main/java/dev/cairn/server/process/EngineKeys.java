package dev.cairn.server.process;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.region.FlushPolicy;
import dev.cairn.engine.region.FlushSettings;
import dev.cairn.engine.region.RegionSettings;
import dev.cairn.engine.schema.CellSizeLimit;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.regionserver.CallLimits;
import dev.cairn.server.regionserver.MaintenanceSettings;
import java.util.List;
import java.util.OptionalLong;

/** The keys that govern the engine, and what it is handed instead of them. */
final class EngineKeys {
  static final ConfigKey<Double> CACHE_SHARE =
      share(
          "hfile.block.cache.size",
          0.4,
          "Share of the heap that cached blocks of store files take.");

  static final ConfigKey<Long> BLOCK_MULTIPLIER =
      ConfigKey.number(
          "hbase.hregion.memstore.block.multiplier",
          4,
          1,
          1000,
          "At how many times the flush size a region refuses writes until it is flushed.");

  static final ConfigKey<FlushPolicy> FLUSH_POLICY =
      new ConfigKey<>(
          "hbase.regionserver.flush.policy",
          "org.apache.hadoop.hbase.regionserver.FlushAllLargeStoresPolicy",
          "org.apache.hadoop.hbase.regionserver.FlushAllLargeStoresPolicy, FlushAllStoresPolicy or"
              + " FlushNonSloppyStoresFirstPolicy there",
          "Which families of a region are flushed when its memory is full, unless a table says otherwise"
              + " (FLUSH_POLICY): the large ones, or all. FlushNonSloppyStoresFirstPolicy means the large"
              + " ones, too.",
          FlushPolicy::require,
          value -> true);

  static final ConfigKey<Long> FLUSH_LOWER_BOUND_MIN_BYTES =
      ConfigKey.number(
          FlushSettings.LOWER_BOUND_MIN_KEY,
          16L << 20,
          0,
          Long.MAX_VALUE,
          "From how many bytes of memory on a family is large: at least this, and at least the region's"
              + " flush size divided by the number of its families. A table may set a size of its own"
              + " under the same name without .min.");

  static final ConfigKey<Long> FLUSH_THREADS =
      ConfigKey.number(
          "hbase.hstore.flusher.count",
          2,
          1,
          1000,
          "The most regions that are flushed at the same time.");

  static final ConfigKey<Long> SMALL_COMPACTION_THREADS =
      ConfigKey.number(
              "hbase.regionserver.thread.compaction.small",
              1,
              1,
              1000,
              "The most small compactions at the same time."
                  + " hbase.regionserver.thread.compaction.throttle decides which are small.")
          .atRunTime();

  static final ConfigKey<Long> LARGE_COMPACTION_THREADS =
      ConfigKey.number(
              "hbase.regionserver.thread.compaction.large",
              1,
              1,
              1000,
              "The most large compactions at the same time."
                  + " hbase.regionserver.thread.compaction.throttle decides which are large.")
          .atRunTime();

  static final ConfigKey<Long> FLUSH_CHANGES =
      ConfigKey.number(
          FlushSettings.CHANGES_KEY,
          30_000_000,
          1,
          FlushSettings.CHANGES_LIMIT,
          "After how many further writes to its region a write goes to a store file in any case.");

  static final ConfigKey<Long> ROW_LOCK_MILLIS =
      ConfigKey.number(
          "hbase.rowlock.wait.duration",
          30_000,
          1,
          Integer.MAX_VALUE,
          "How long a write waits for a row that another one holds, milliseconds.");

  static final ConfigKey<Long> AHEAD_MILLIS =
      ConfigKey.number(
          RegionSettings.AHEAD_KEY,
          RegionSettings.ANY_TIMESTAMP,
          0,
          RegionSettings.ANY_TIMESTAMP,
          "How far ahead of the server's clock the timestamp of a put may be, milliseconds. The default"
              + " allows any timestamp.");

  static final ConfigKey<Boolean> ORDER_BY_WRITE =
      ConfigKey.flag(
          "cairn.new.version.behavior.default",
          false,
          "The NEW_VERSION_BEHAVIOR of families that do not say it themselves: whether the order of"
              + " writing decides what a delete marker hides and which versions are kept, and not"
              + " timestamps alone. HBase has no such key and takes them for false. Turn it on"
              + " before there is data: what was compacted without it has no order of writing.");

  static final ConfigKey<StoreFileTracking.Kind> FILE_TRACKER =
      new ConfigKey<>(
          StoreFileTracking.KEY,
          "DEFAULT",
          "DEFAULT or FILE",
          "How stores know which of their files count: all files in the directory do, or those that"
              + " a list names, which needs no rename. It is set in the descriptors of new tables;"
              + " change_sft changes it for others.",
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
        FLUSH_THREADS,
        SMALL_COMPACTION_THREADS,
        LARGE_COMPACTION_THREADS,
        FLUSH_CHANGES,
        ROW_LOCK_MILLIS,
        AHEAD_MILLIS,
        ORDER_BY_WRITE,
        FILE_TRACKER);
  }

  static RegionSettings regions(SiteConfig config, MemoryAccount memory) {
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
  static RegionSettings masterStore(SiteConfig config) {
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
