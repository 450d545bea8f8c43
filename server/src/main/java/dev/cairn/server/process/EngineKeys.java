package dev.cairn.server.process;

import dev.cairn.engine.region.FlushPolicy;
import dev.cairn.engine.region.FlushSettings;
import dev.cairn.engine.region.RegionSettings;
import dev.cairn.engine.store.StoreFileTracking;
import dev.cairn.engine.store.StoreSettings;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.regionserver.CallLimits;
import dev.cairn.server.regionserver.UpkeepSettings;
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

  static final ConfigKey<Long> COMPACTION_MAX =
      ConfigKey.number(
          "hbase.hstore.compaction.max",
          10,
          2,
          10_000,
          "How many store files a minor compaction merges at most.");

  static final ConfigKey<Double> COMPACTION_RATIO =
      new ConfigKey<>(
          "hbase.hstore.compaction.ratio",
          "1.2",
          "a number from 0.1 to 100",
          "How large a store file may be, relative to the others of a compaction together, to take part.",
          Double::parseDouble,
          value -> value >= 0.1 && value <= 100);

  static final ConfigKey<Long> COMPACTION_MIN_BYTES =
      ConfigKey.number(
          "hbase.hstore.compaction.min.size",
          128L << 20,
          0,
          Long.MAX_VALUE,
          "Store files that together are smaller than this are always worth merging, bytes.");

  static final ConfigKey<Long> COMPACTION_MAX_BYTES =
      ConfigKey.number(
          "hbase.hstore.compaction.max.size",
          Long.MAX_VALUE,
          1,
          Long.MAX_VALUE,
          "Store files larger than this are left to major compactions, bytes.");

  static final ConfigKey<Long> PURGE_DELETES_MILLIS =
      ConfigKey.number(
          "hbase.hstore.time.to.purge.deletes",
          0,
          0,
          Long.MAX_VALUE,
          "How long delete markers outlive their timestamp, milliseconds.");

  static final ConfigKey<String> FILE_TRACKER =
      new ConfigKey<>(
          StoreFileTracking.KEY,
          "DEFAULT",
          "DEFAULT, the only one that is supported",
          "How stores know which of their files count, unless a table says otherwise.",
          text -> text,
          StoreFileTracking::isSupported);

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
        COMPACTION_MAX,
        COMPACTION_RATIO,
        COMPACTION_MIN_BYTES,
        COMPACTION_MAX_BYTES,
        PURGE_DELETES_MILLIS,
        FILE_TRACKER);
  }

  static RegionSettings regions(SiteConfig config) {
    return new RegionSettings(
        config.get(UpkeepSettings.REGION_FLUSH_BYTES),
        config.get(BLOCK_MULTIPLIER).intValue(),
        config.get(ROW_LOCK_MILLIS),
        config.get(CallLimits.MAX_CELL_BYTES),
        new FlushSettings(
            config.get(FLUSH_POLICY),
            config.get(FLUSH_LOWER_BOUND_MIN_BYTES),
            OptionalLong.empty(),
            config.get(UpkeepSettings.FLUSH_INTERVAL_MILLIS),
            config.get(FLUSH_CHANGES)));
  }

  static StoreSettings stores(SiteConfig config) {
    try {
      return new StoreSettings(
          config.get(UpkeepSettings.COMPACTION_FILES).intValue(),
          config.get(COMPACTION_MAX).intValue(),
          config.get(COMPACTION_RATIO),
          config.get(COMPACTION_MIN_BYTES),
          config.get(COMPACTION_MAX_BYTES),
          config.get(PURGE_DELETES_MILLIS),
          FileKeys.settings(config));
    } catch (IllegalArgumentException e) {
      throw new ConfigException(e.getMessage(), e);
    }
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
