package dev.cairn.server.regionserver.replica;

import dev.cairn.server.catalog.ServerName;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Limits the messages of one call to each server. The server lists the files of each region of a
 * call, which takes long on slow storage. After a slow call or a timeout, the next call has half as
 * many messages; after a fast one, twice as many. Not thread-safe.
 */
final class CallSizes {
  /** The maximum messages of one call. */
  static final int MESSAGES_MAX = 50;

  private static final long FAST_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** The servers with a lower limit. */
  private final Map<ServerName, Integer> lowered = new HashMap<>();

  /** Returns the maximum messages of the next call to a server; at least 1. */
  int messagesMax(ServerName server) {
    return lowered.getOrDefault(server, MESSAGES_MAX);
  }

  /**
   * Notes that a call was not answered in time.
   *
   * @param messages the number of its messages
   */
  void timedOut(ServerName server, int messages) {
    lowered.put(server, Math.max(1, messages / 2));
  }

  /** Notes that a call of {@code messages} was accepted after {@code nanos}. */
  void accepted(ServerName server, int messages, long nanos) {
    if (nanos >= SLOW_NANOS) {
      timedOut(server, messages);
    } else if (nanos < FAST_NANOS) {
      lowered.computeIfPresent(server, (name, max) -> max * 2 < MESSAGES_MAX ? max * 2 : null);
    }
  }

  /** Forgets all other servers. */
  void keep(Set<ServerName> servers) {
    lowered.keySet().retainAll(servers);
  }

  boolean isEmpty() {
    return lowered.isEmpty();
  }
}
