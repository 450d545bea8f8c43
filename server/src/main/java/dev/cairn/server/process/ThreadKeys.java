package dev.cairn.server.process;

import dev.cairn.server.config.ConfigKey;
import java.util.List;

/** The keys that limit the threads of {@link ServerThreads}. */
final class ThreadKeys {
  static final ConfigKey<Long> FLUSHES =
      threads(
          "hbase.hstore.flusher.count", 2, "The most regions that are flushed at the same time.");

  static final ConfigKey<Long> SMALL_COMPACTIONS =
      threads(
              "hbase.regionserver.thread.compaction.small",
              1,
              "Maximum concurrent small compactions; see"
                  + " hbase.regionserver.thread.compaction.throttle.")
          .atRunTime();

  static final ConfigKey<Long> LARGE_COMPACTIONS =
      threads(
              "hbase.regionserver.thread.compaction.large",
              1,
              "Maximum concurrent large compactions; see"
                  + " hbase.regionserver.thread.compaction.throttle.")
          .atRunTime();

  private ThreadKeys() {}

  /** Returns all keys of this class. */
  static List<ConfigKey<?>> all() {
    return List.of(FLUSHES, SMALL_COMPACTIONS, LARGE_COMPACTIONS);
  }

  private static ConfigKey<Long> threads(String name, long defaultValue, String sentence) {
    return ConfigKey.number(name, defaultValue, 1, 1000, sentence);
  }
}
