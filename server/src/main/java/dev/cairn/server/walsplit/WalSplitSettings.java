package dev.cairn.server.walsplit;

import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;

/**
 * The settings for the shared split of a dead server's log.
 *
 * @param jobsPerServer the number of logs that a region server helps to split at a time, besides
 *     that of {@code hbase:meta}; 0 if the master splits all logs itself
 * @param jobBytes the size of a log for each additional server that shares its split
 */
public record WalSplitSettings(int jobsPerServer, long jobBytes) {
  /** The number of logs that a region server helps to split. */
  public static final ConfigKey<Long> SPLITTERS_MAX =
      ConfigKey.number(
          "hbase.regionserver.wal.max.splitters",
          2,
          1,
          100,
          "Maximum logs of dead servers that a region server splits at the same time, in"
              + " addition to that of hbase:meta. The active master and the region servers read"
              + " it.");

  /** Each server reads the whole log, so a short log is given to few servers. */
  private static final long JOB_BYTES = 32L << 20;

  /** The master splits all logs itself. */
  public static final WalSplitSettings BY_MASTER = new WalSplitSettings(0, JOB_BYTES);

  /** Checks the ranges. */
  public WalSplitSettings {
    if (jobsPerServer < 0 || jobBytes < 1) {
      throw new IllegalArgumentException(
          "Not the settings of a shared split: " + jobsPerServer + ", " + jobBytes);
    }
  }

  /** Returns a site's settings. */
  public static WalSplitSettings of(SiteConfig config) {
    return new WalSplitSettings(config.get(SPLITTERS_MAX).intValue(), JOB_BYTES);
  }
}
