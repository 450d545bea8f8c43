package dev.cairn.server.master.members;

import dev.cairn.server.catalog.ClusterLevel;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.walsplit.WalSplitSettings;
import java.time.Duration;
import java.util.List;

/**
 * The master's settings for region servers.
 *
 * @param reportInterval the time between two reports of a server
 * @param minToStart minimum number of servers before a new active master opens regions
 * @param maxToStart number of servers at which it waits for no further one
 * @param startTimeout maximum time that it waits for further servers
 * @param startInterval time without a new server after which it stops waiting
 * @param splits division of the split of a dead server's log among them
 * @param logWaitMax the time after which a server whose log is stuck is given up, if the logs of
 *     others work; zero for never
 * @param drainMoves the regions of a draining server that are moved at the same time
 * @param rejectsDecommissioned whether a server may not start on a host with a draining mark
 * @param warmUpMax the time that a move waits for the warm-up of its region; zero for no warm-ups
 * @param level the cluster level of this master, and the minimum of the others
 */
public record MemberSettings(
    Duration reportInterval,
    int minToStart,
    int maxToStart,
    Duration startTimeout,
    Duration startInterval,
    WalSplitSettings splits,
    Duration logWaitMax,
    int drainMoves,
    boolean rejectsDecommissioned,
    Duration warmUpMax,
    ClusterLevel level) {

  /** The least number of servers. */
  public static final ConfigKey<Long> MIN_TO_START =
      ConfigKey.number(
          "hbase.master.wait.on.regionservers.mintostart",
          1,
          1,
          Integer.MAX_VALUE,
          "Minimum registered region servers before a new active master opens regions.");

  /** With so many servers none is waited for. */
  public static final ConfigKey<Long> MAX_TO_START =
      ConfigKey.number(
          "hbase.master.wait.on.regionservers.maxtostart",
          -1,
          -1,
          Integer.MAX_VALUE,
          "Number of registered region servers at which a new active master stops waiting for"
              + " more. A value below hbase.master.wait.on.regionservers.mintostart means no"
              + " limit.");

  /** The maximum wait for further servers. */
  public static final ConfigKey<Long> START_TIMEOUT_MILLIS =
      ConfigKey.number(
          "hbase.master.wait.on.regionservers.timeout",
          4_500,
          0,
          Integer.MAX_VALUE,
          "Maximum time that a new active master waits for more region servers, in"
              + " milliseconds. It does not wait if all region servers of the last master are"
              + " back.");

  /** The time without a new server that ends the wait. */
  public static final ConfigKey<Long> START_INTERVAL_MILLIS =
      ConfigKey.number(
          "hbase.master.wait.on.regionservers.interval",
          1_500,
          0,
          Integer.MAX_VALUE,
          "Time without a new registration after which a new active master stops waiting for"
              + " region servers, in milliseconds.");

  /** The switch for warm-ups. */
  public static final ConfigKey<Boolean> WARMS_UP =
      ConfigKey.flag(
          "hbase.master.warmup.before.move",
          true,
          "Whether the next server of a region that moves reads its indexes, Bloom filters and hot"
              + " blocks before the region leaves its present server.");

  /** The time that a move waits for a warm-up. */
  public static final ConfigKey<Long> WARM_UP_MILLIS =
      ConfigKey.number(
          "cairn.master.warmup.timeout",
          10_000,
          1,
          Integer.MAX_VALUE,
          "Maximum time that a move of a region waits for its next server to read its files, in"
              + " milliseconds. Then the move goes on.");

  /** The time after which a server whose log is stuck is given up. */
  public static final ConfigKey<Long> LOG_WAIT_MILLIS =
      ConfigKey.number(
          "cairn.master.stuck.log.timeout",
          7_000,
          0,
          Integer.MAX_VALUE,
          "Time after which a region server with a stuck log loses its regions to other"
              + " servers, in milliseconds; 0 means never. A log is stuck if it writes nothing"
              + " while the logs of other region servers work, for example because its server"
              + " is cut off from HDFS.");

  /** The regions of a draining server that are moved at the same time. */
  public static final ConfigKey<Long> DRAIN_MOVES =
      ConfigKey.number(
          "cairn.master.drain.moves",
          4,
          1,
          Integer.MAX_VALUE,
          "Number of regions that move at the same time away from a decommissioned region server,"
              + " and back to a recommissioned one.");

  /** Whether servers of decommissioned hosts are refused. */
  public static final ConfigKey<Boolean> REJECTS_DECOMMISSIONED =
      ConfigKey.flag(
          "hbase.master.reject.decommissioned.hosts",
          false,
          "Whether a region server is refused when it starts on the host of a decommissioned one."
              + " A decommissioned server then stays in the list after its end, until it is"
              + " recommissioned.");

  /** Checks the ranges. */
  public MemberSettings {
    if (reportInterval.isNegative() || reportInterval.isZero()) {
      throw new IllegalArgumentException("The time between two reports must be above 0");
    }
  }

  /** Returns settings with which one server is enough. */
  public static MemberSettings oneServer(Duration reportInterval) {
    return new MemberSettings(
        reportInterval,
        1,
        1,
        Duration.ZERO,
        Duration.ZERO,
        WalSplitSettings.BY_MASTER,
        Duration.ZERO,
        1,
        false,
        Duration.ZERO,
        ClusterLevel.defaults());
  }

  /** Returns a site's settings. */
  public static MemberSettings of(SiteConfig config, Duration reportInterval) {
    int min = config.get(MIN_TO_START).intValue();
    int max = config.get(MAX_TO_START).intValue();
    return new MemberSettings(
        reportInterval,
        min,
        max < min ? Integer.MAX_VALUE : max,
        Duration.ofMillis(config.get(START_TIMEOUT_MILLIS)),
        Duration.ofMillis(config.get(START_INTERVAL_MILLIS)),
        WalSplitSettings.of(config),
        Duration.ofMillis(config.get(LOG_WAIT_MILLIS)),
        config.get(DRAIN_MOVES).intValue(),
        config.get(REJECTS_DECOMMISSIONED),
        config.get(WARMS_UP) ? Duration.ofMillis(config.get(WARM_UP_MILLIS)) : Duration.ZERO,
        ClusterLevel.of(config));
  }

  /** Returns these settings with another way to share the split of logs. */
  public MemberSettings splitting(WalSplitSettings other) {
    return new MemberSettings(
        reportInterval,
        minToStart,
        maxToStart,
        startTimeout,
        startInterval,
        other,
        logWaitMax,
        drainMoves,
        rejectsDecommissioned,
        warmUpMax,
        level);
  }

  /** Returns these settings with another limit for stuck logs. */
  public MemberSettings givingUpAfter(Duration logWait) {
    return new MemberSettings(
        reportInterval,
        minToStart,
        maxToStart,
        startTimeout,
        startInterval,
        splits,
        logWait,
        drainMoves,
        rejectsDecommissioned,
        warmUpMax,
        level);
  }

  /** Returns these settings with another limit for warm-ups. */
  public MemberSettings warmingUp(Duration longest) {
    return new MemberSettings(
        reportInterval,
        minToStart,
        maxToStart,
        startTimeout,
        startInterval,
        splits,
        logWaitMax,
        drainMoves,
        rejectsDecommissioned,
        longest,
        level);
  }

  /** Returns the keys. */
  public static List<ConfigKey<?>> keys() {
    return List.of(
        MIN_TO_START,
        MAX_TO_START,
        START_TIMEOUT_MILLIS,
        START_INTERVAL_MILLIS,
        LOG_WAIT_MILLIS,
        DRAIN_MOVES,
        REJECTS_DECOMMISSIONED,
        WARMS_UP,
        WARM_UP_MILLIS,
        ClusterLevel.MIN_KEY,
        WalSplitSettings.SPLITTERS_MAX);
  }
}
