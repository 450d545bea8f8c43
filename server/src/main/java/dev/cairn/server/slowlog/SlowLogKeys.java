package dev.cairn.server.slowlog;

import dev.cairn.server.config.ConfigKey;
import java.util.List;

/** The keys that define slow and large calls, and how many of them are kept. */
public final class SlowLogKeys {
  private static final long OFF = -1;

  static final ConfigKey<Long> TIME =
      limit(
          "hbase.ipc.warn.response.time",
          10_000,
          "Duration above which a call is slow, without its time in a queue, in milliseconds;"
              + " -1 means none is. The log warns of slow calls.");

  static final ConfigKey<Long> SCAN_TIME =
      limit(
          "hbase.ipc.warn.response.time.scan",
          10_000,
          "Replaces hbase.ipc.warn.response.time for scans, if set.");

  static final ConfigKey<Long> SIZE =
      limit(
          "hbase.ipc.warn.response.size",
          100L << 20,
          "Size above which a response is large, in bytes; -1 means none is. The log warns of"
              + " large responses. HBase also compares the bytes of the blocks that the call"
              + " read; Cairn does not.");

  static final ConfigKey<Long> SCAN_SIZE =
      limit(
          "hbase.ipc.warn.response.size.scan",
          100L << 20,
          "Replaces hbase.ipc.warn.response.size for scans, if set.");

  static final ConfigKey<Boolean> KEPT =
      ConfigKey.flag(
              "hbase.regionserver.slowlog.buffer.enabled",
              false,
              "Whether each region server keeps its latest slow and large calls in memory, for the"
                  + " shell's get_slowlog_responses and get_largelog_responses.")
          .atRunTime();

  static final ConfigKey<Long> KEPT_MAX =
      ConfigKey.number(
              "hbase.regionserver.slowlog.ringbuffer.size",
              256,
              1,
              100_000,
              "Maximum slow and large calls that a region server keeps. It keeps fewer if"
                  + " they take more than 16 MB.")
          .atRunTime();

  static final ConfigKey<Boolean> SCANS_KEPT =
      ConfigKey.flag(
              "hbase.slowlog.scan.payload.enabled",
              false,
              "Whether kept slow and large calls contain the definitions of scans.")
          .atRunTime();

  private SlowLogKeys() {}

  /** Returns all keys of this class. */
  public static List<ConfigKey<?>> all() {
    return List.of(TIME, SCAN_TIME, SIZE, SCAN_SIZE, KEPT, KEPT_MAX, SCANS_KEPT);
  }

  private static ConfigKey<Long> limit(String name, long defaultValue, String sentence) {
    return ConfigKey.number(name, defaultValue, OFF, Integer.MAX_VALUE, sentence).atRunTime();
  }
}
