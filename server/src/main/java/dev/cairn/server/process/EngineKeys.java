package dev.cairn.server.process;

import dev.cairn.engine.region.RegionSettings;
import dev.cairn.engine.store.StoreFileTracking;
import dev.cairn.engine.store.StoreSettings;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.regionserver.CallLimits;
import dev.cairn.server.regionserver.UpkeepSettings;
import java.util.List;

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

  static final ConfigKey<Boolean> ORDER_BY_WRITE =
      ConfigKey.flag(
          "cairn.new.version.behavior.default",
          false,
          "The NEW_VERSION_BEHAVIOR of families that do not say it themselves: whether the order of"
              + " writing decides what a delete marker hides and which versions are kept, and not"
              + " timestamps alone. HBase has no such key and takes them for false. Turn it on"
              + " before there is data: what was compacted without it has no order of writing.");

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
        ROW_LOCK_MILLIS,
        COMPACTION_MAX,
        COMPACTION_RATIO,
        COMPACTION_MIN_BYTES,
        COMPACTION_MAX_BYTES,
        ORDER_BY_WRITE,
        PURGE_DELETES_MILLIS,
        FILE_TRACKER);
  }

  static RegionSettings regions(SiteConfig config) {
    return new RegionSettings(
        config.get(UpkeepSettings.REGION_FLUSH_BYTES),
        config.get(BLOCK_MULTIPLIER).intValue(),
        config.get(ROW_LOCK_MILLIS),
        config.get(CallLimits.MAX_CELL_BYTES));
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
