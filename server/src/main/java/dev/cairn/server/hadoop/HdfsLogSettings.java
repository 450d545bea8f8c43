package dev.cairn.server.hadoop;

import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import java.time.Duration;
import java.util.List;

/**
 * Says how log files on HDFS are written, and taken away from their writers.
 *
 * @param syncTimeout how long a write or sync may take until the file counts as failed
 * @param lease how long taking a file away may take
 */
public record HdfsLogSettings(Duration syncTimeout, LeaseTimes lease) {
  /** The defaults. */
  public static final HdfsLogSettings DEFAULTS =
      new HdfsLogSettings(Duration.ofSeconds(1), LeaseTimes.DEFAULTS);

  /** How long a log waits for a sync. */
  public static final ConfigKey<Long> ROLL_ON_SYNC_MILLIS =
      ConfigKey.number(
          "hbase.regionserver.wal.roll.on.sync.ms",
          1_000,
          10,
          3_600_000,
          "The milliseconds that a log waits for a sync on HDFS before it continues in a new"
              + " file. Each consecutive timeout doubles the wait, up to 32 times this value.");

  private static final ConfigKey<Long> LEASE_TIMEOUT_MILLIS =
      ConfigKey.number(
          "hbase.lease.recovery.timeout",
          900_000,
          1,
          Integer.MAX_VALUE,
          "The milliseconds after which the recovery of a log's lease on HDFS fails. The recovery"
              + " of the log then begins again.");

  private static final ConfigKey<Long> LEASE_PAUSE_MILLIS =
      ConfigKey.number(
          "hbase.lease.recovery.first.pause",
          4_000,
          1,
          Integer.MAX_VALUE,
          "The milliseconds between two requests to recover a log's lease on HDFS. The NameNode"
              + " ignores requests that come too early.");

  private static final ConfigKey<Long> LEASE_LOOK_MILLIS =
      ConfigKey.number(
          "hbase.lease.recovery.pause",
          1_000,
          1,
          Integer.MAX_VALUE,
          "The longest time between two checks whether a log's lease on HDFS is recovered,"
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
