package dev.cairn.server.process.keys;

import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.process.ServerThreads;
import java.util.List;

/** The keys that limit the threads of {@link ServerThreads}. */
public final class ThreadKeys {
  public static final ConfigKey<Long> FLUSHES =
      threads(
          "hbase.hstore.flusher.count", 2, "Maximum regions that are flushed at the same time.");

  public static final ConfigKey<Long> SMALL_COMPACTIONS =
      threads(
              "hbase.regionserver.thread.compaction.small",
              1,
              "Maximum concurrent small compactions; see"
                  + " hbase.regionserver.thread.compaction.throttle.")
          .atRunTime();

  public static final ConfigKey<Long> LARGE_COMPACTIONS =
      threads(
              "hbase.regionserver.thread.compaction.large",
              1,
              "Maximum concurrent large compactions; see"
                  + " hbase.regionserver.thread.compaction.throttle.")
          .atRunTime();

  public static final ConfigKey<Long> OPENINGS =
      threads(
          "hbase.regionserver.executor.openregion.threads",
          16,
          "Maximum regions of users' tables that open at the same time. HBase's default is 3.");

  public static final ConfigKey<Long> SYSTEM_OPENINGS =
      threads(
          "hbase.regionserver.executor.openpriorityregion.threads",
          3,
          "Maximum regions of system tables, except hbase:meta, that open at the same time.");

  public static final ConfigKey<Long> META_OPENINGS =
      threads(
          "hbase.regionserver.executor.openmeta.threads",
          1,
          "Maximum openings of hbase:meta at the same time. They do not wait for other regions.");

  public static final ConfigKey<Long> CLOSINGS =
      threads(
          "hbase.regionserver.executor.closeregion.threads",
          16,
          "Maximum regions that close at the same time. HBase's default is 3.");

  private ThreadKeys() {}

  /** Returns all keys of this class. */
  public static List<ConfigKey<?>> all() {
    return List.of(
        FLUSHES,
        SMALL_COMPACTIONS,
        LARGE_COMPACTIONS,
        OPENINGS,
        SYSTEM_OPENINGS,
        META_OPENINGS,
        CLOSINGS);
  }

  private static ConfigKey<Long> threads(String name, long defaultValue, String sentence) {
    return ConfigKey.number(name, defaultValue, 1, 1000, sentence);
  }
}
