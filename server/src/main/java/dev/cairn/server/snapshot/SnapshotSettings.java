package dev.cairn.server.snapshot;

import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import java.time.Duration;
import java.util.List;

/**
 * When snapshots are taken and deleted.
 *
 * @param enabled whether clients may take, delete, restore and clone snapshots
 * @param ttlSeconds the time to live of snapshots whose client names none; 0 for ever
 * @param cleanupInterval the time between two looks for snapshots whose time to live is over
 * @param patience how long the regions of a table may take before a snapshot of it fails
 */
public record SnapshotSettings(
    boolean enabled, long ttlSeconds, Duration cleanupInterval, Duration patience) {
  /** Whether there are snapshots. */
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
          "After so many seconds a snapshot is deleted, if its client named no TTL; 0 for never.");

  /** How often the time to live is checked. */
  public static final ConfigKey<Long> CLEANUP_INTERVAL_MILLIS =
      ConfigKey.number(
          "hbase.master.cleaner.snapshot.interval",
          1_800_000,
          1000,
          Integer.MAX_VALUE,
          "The time between two looks for snapshots whose TTL is over, milliseconds.");

  /** How long a snapshot may take. */
  public static final ConfigKey<Long> PATIENCE_MILLIS =
      ConfigKey.number(
              "hbase.snapshot.master.timeout.millis",
              300_000,
              1000,
              Integer.MAX_VALUE,
              "How long the regions of a table may take before a snapshot of it fails,"
                  + " milliseconds.")
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
