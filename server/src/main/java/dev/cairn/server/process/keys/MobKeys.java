package dev.cairn.server.process.keys;

import dev.cairn.engine.mob.MobSettings;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;

/** The keys that say how MOB files are read and rewritten. */
public final class MobKeys {
  private static final String OPTIMIZED = "optimized";

  static final ConfigKey<Long> OPEN_FILES =
      ConfigKey.number(
          "hbase.mob.file.cache.size",
          1000,
          0,
          1_000_000,
          "Maximum unused MOB files that are kept open.");

  static final ConfigKey<Long> IDLE_SECONDS =
      ConfigKey.number(
          "hbase.mob.cache.evict.period",
          3600,
          1,
          Integer.MAX_VALUE,
          "Time after which an unused MOB file is closed, in seconds.");

  static final ConfigKey<String> COMPACTION_TYPE =
      new ConfigKey<>(
          "hbase.mob.compaction.type",
          "full",
          "full or optimized",
          "Whether major compactions rewrite all values of MOB families (full), or keep"
              + " values that lie in large MOB files (optimized).",
          text -> text.toLowerCase(Locale.ROOT),
          type -> type.equals("full") || type.equals(OPTIMIZED));

  static final ConfigKey<Long> LARGE_FILE_BYTES =
      ConfigKey.number(
          "hbase.mob.compactions.max.file.size",
          1L << 30,
          1,
          Long.MAX_VALUE,
          "Minimum size of a large MOB file, in bytes, for the optimized type of compaction.");

  static final ConfigKey<Boolean> DISCARD_MISSING =
      ConfigKey.flag(
          "hbase.unsafe.mob.discard.miss",
          false,
          "Whether major compactions drop cells whose MOB file is missing. If false, the"
              + " cells stay, and reads of them fail.");

  private MobKeys() {}

  /** Returns all keys of this class. */
  static List<ConfigKey<?>> all() {
    return List.of(OPEN_FILES, IDLE_SECONDS, COMPACTION_TYPE, LARGE_FILE_BYTES, DISCARD_MISSING);
  }

  public static MobSettings settings(SiteConfig config) {
    return new MobSettings(
        config.get(OPEN_FILES).intValue(),
        config.get(IDLE_SECONDS) * 1000,
        config.get(COMPACTION_TYPE).equals(OPTIMIZED),
        config.get(LARGE_FILE_BYTES),
        config.get(DISCARD_MISSING),
        ZoneId.systemDefault());
  }
}
