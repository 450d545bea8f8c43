package dev.cairn.server.hadoop;

import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import java.time.Duration;
import java.util.List;

/**
 * The timeouts for writing log files on HDFS and for taking them from their writers.
 *
 * @param syncTimeout time after which a file with an unfinished write or sync has failed
 * @param lease times for taking a file away
 */
public record HdfsLogSettings(Duration syncTimeout, LeaseTimes lease) {
  /** The defaults. */
  public static final HdfsLogSettings DEFAULTS =
      new HdfsLogSettings(Duration.ofSeconds(1), LeaseTimes.DEFAULTS);

  /** The time that a log waits for a sync. */
  public static final ConfigKey<Long> ROLL_ON_SYNC_MILLIS =
      ConfigKey.number(
          "hbase.regionserver.wal.roll.on.sync.ms",
          1_000,
          10,
          3_600_000,
          "Time that a log waits for a sync on HDFS before it continues in a new file, in"
              + " milliseconds. Each consecutive timeout doubles it, up to 32 times this value.");

  private static final ConfigKey<Long> LEASE_TIMEOUT_MILLIS =
      ConfigKey.number(
          "hbase.lease.recovery.timeout",
          900_000,
          1,
          Integer.MAX_VALUE,
          "Time after which the recovery of a log's lease on HDFS fails, in milliseconds. The"
              + " recovery of the log then begins again.");

  private static final ConfigKey<Long> LEASE_PAUSE_MILLIS =
      ConfigKey.number(
          "hbase.lease.recovery.first.pause",
          4_000,
          1,
          Integer.MAX_VALUE,
          "Time between two requests to recover a log's lease on HDFS, in milliseconds. The"
              + " NameNode ignores requests that come too early.");

  private static final ConfigKey<Long> LEASE_LOOK_MILLIS =
      ConfigKey.number(
          "hbase.lease.recovery.pause",
          1_000,
          1,
          Integer.MAX_VALUE,
          "Maximum time between two checks whether a log's lease on HDFS is recovered, in"
              + " milliseconds.");

  /** Returns all keys of this class. */
  public static List<ConfigKey<?>> keys() {
    return List.of(
        ROLL_ON_SYNC_MILLIS, LEASE_TIMEOUT_MILLIS, LEASE_PAUSE_MILLIS, LEASE_LOOK_MILLIS);
  }

  /** Returns the settings of a site. */
  public static HdfsLogSettings of(SiteConfig config) {
    return new HdfsLogSettings(
        millis(config, ROLL_ON_SYNC_MILLIS),
        new LeaseTimes(
            millis(config, LEASE_TIMEOUT_MILLIS),
            millis(config, LEASE_PAUSE_MILLIS),
            millis(config, LEASE_LOOK_MILLIS)));
  }

  private static Duration millis(SiteConfig config, ConfigKey<Long> key) {
    return Duration.ofMillis(config.get(key));
  }
}
