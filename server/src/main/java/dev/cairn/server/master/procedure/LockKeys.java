package dev.cairn.server.master.procedure;

import dev.cairn.server.config.ConfigKey;

/** The keys of clients' locks. */
public final class LockKeys {
  /** The time without a heartbeat after which a client's lock ends. */
  public static final ConfigKey<Long> TIMEOUT_MILLIS =
      ConfigKey.number(
          "hbase.master.procedure.remote.locks.timeout.ms",
          30_000,
          1000,
          Integer.MAX_VALUE,
          "Time without a heartbeat from its client after which a lock ends, in milliseconds.");

  private LockKeys() {}
}
