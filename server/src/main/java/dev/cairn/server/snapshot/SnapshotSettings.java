package dev.cairn.server.snapshot;

import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import java.time.Duration;
import java.util.List;

/**
 * The settings of snapshots.
 *
 * @param enabled true if clients may take, delete, restore and clone snapshots
 * @param ttlSeconds TTL of snapshots whose client sets none; 0 for ever
 * @param cleanupInterval time between two checks for snapshots past their TTL
 * @param patience maximum time for the regions of a table to take a snapshot
 */
public record SnapshotSettings(
    boolean enabled, long ttlSeconds, Duration cleanupInterval, Duration patience) {
  /** The switch for snapshots. */
  public static final ConfigKey<Boolean> ENABLED =
      ConfigKey.flag(
          "hbase.snapshot.enabled",
          true,
          "Whether clients may take, delete, restore and clone snapshots.");

  /** The default time to live. */
  public static final ConfigKey<Long> TTL_SECONDS =
      ConfigKey.number(
          "hbase.master.snapshot.ttl",
          0,
          0,
          Integer.MAX_VALUE,
          "TTL of snapshots whose client sets none, in seconds; 0 means they are kept for ever.");

  /** The time between two checks of the TTL. */
  public static final ConfigKey<Long> CLEANUP_INTERVAL_MILLIS =
      ConfigKey.number(
          "hbase.master.cleaner.snapshot.interval",
          1_800_000,
          1000,
          Integer.MAX_VALUE,
          "Time between two checks for snapshots past their TTL, in milliseconds.");

  /** The maximum duration of a snapshot. */
  public static final ConfigKey<Long> PATIENCE_MILLIS =
      ConfigKey.number(
              "hbase.snapshot.master.timeout.millis",
              300_000,
              1000,
              Integer.MAX_VALUE,
              "Maximum time for the regions of a table to take a snapshot, in milliseconds;"
                  + " after it, the snapshot fails.")
          .formerly("hbase.snapshot.master.timeoutMillis");

  /** HBase's defaults. */
  public static final SnapshotSettings DEFAULTS =
      new SnapshotSettings(true, 0, Duration.ofMinutes(30), Duration.ofMinutes(5));

  /** Reads the settings. */
  public static SnapshotSettings of(SiteConfig config) {
    return new SnapshotSettings(
        config.get(ENABLED),
        config.get(TTL_SECONDS),
        Duration.ofMillis(config.get(CLEANUP_INTERVAL_MILLIS)),
        Duration.ofMillis(config.get(PATIENCE_MILLIS)));
  }

  /** Returns all keys of this class. */
  public static List<ConfigKey<?>> keys() {
    return List.of(ENABLED, TTL_SECONDS, CLEANUP_INTERVAL_MILLIS, PATIENCE_MILLIS);
  }
}
