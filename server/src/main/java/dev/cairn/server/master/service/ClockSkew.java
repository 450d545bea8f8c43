package dev.cairn.server.master.service;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.ClockKeys;
import dev.cairn.server.config.SiteConfig;
import org.apache.hadoop.hbase.ClockOutOfSyncException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The limits of the clock difference between a starting region server and the master.
 *
 * @param warnMillis larger differences are logged
 * @param refuseMillis servers with larger differences are refused
 */
public record ClockSkew(long warnMillis, long refuseMillis) {
  private static final Logger LOG = LoggerFactory.getLogger(ClockSkew.class);

  /** Returns the limits of {@code config}. */
  static ClockSkew of(SiteConfig config) {
    return new ClockSkew(config.get(ClockKeys.WARN_MILLIS), config.get(ClockKeys.REFUSE_MILLIS));
  }

  /**
   * Checks the clock of a server.
   *
   * @param serverMillis the server's time, milliseconds since 1970
   * @param masterMillis the master's time
   * @throws ClockOutOfSyncException if they differ too much
   */
  void check(ServerName server, long serverMillis, long masterMillis)
      throws ClockOutOfSyncException {
    long differenceMillis = differenceMillis(serverMillis, masterMillis);
    if (differenceMillis > refuseMillis) {
      throw new ClockOutOfSyncException(
          "The clock of "
              + server
              + " is "
              + differenceMillis
              + " ms "
              + (serverMillis < masterMillis ? "behind" : "ahead of")
              + " the master's, and more than "
              + refuseMillis
              + " ms ("
              + ClockKeys.REFUSE_MILLIS.name()
              + ") are refused. Synchronize the clocks of both machines, then start it again");
    }
    if (differenceMillis > warnMillis) {
      LOG.warn(
          "The clock of {} differs from this one's by {} ms ({})",
          server,
          differenceMillis,
          ClockKeys.WARN_MILLIS.name());
    }
  }

  /** Returns the distance of two times; {@link Long#MAX_VALUE} if it is larger than that. */
  private static long differenceMillis(long one, long other) {
    long difference = Math.max(one, other) - Math.min(one, other);
    return difference < 0 ? Long.MAX_VALUE : difference;
  }
}
