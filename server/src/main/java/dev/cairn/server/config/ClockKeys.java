package dev.cairn.server.config;

import java.util.List;

/** The keys that limit the clock skew between a cluster's servers. */
public final class ClockKeys {
  /** The difference at which the master refuses a region server. */
  public static final ConfigKey<Long> REFUSE_MILLIS =
      ConfigKey.number(
          "hbase.master.maxclockskew",
          30_000,
          0,
          Long.MAX_VALUE,
          "Maximum clock difference between a starting region server and the master, in"
              + " milliseconds; the master refuses a server with a larger one.");

  /** The difference at which the master warns. */
  public static final ConfigKey<Long> WARN_MILLIS =
      ConfigKey.number(
          "hbase.master.warningclockskew",
          10_000,
          0,
          Long.MAX_VALUE,
          "Clock difference between a starting region server and the master above which the"
              + " master warns, in milliseconds.");

  private ClockKeys() {}

  /** Returns all keys of this class. */
  public static List<ConfigKey<?>> all() {
    return List.of(REFUSE_MILLIS, WARN_MILLIS);
  }
}
