package dev.cairn.server.regionserver.client;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.rpc.service.RpcCall;
import java.util.concurrent.TimeUnit;

/**
 * The time limits of calls.
 *
 * @param clock the time
 * @param defaultMillis timeout of calls that state none, milliseconds
 */
public record CallTimes(Clock clock, long defaultMillis) {
  /** Returns how long the caller will still wait, at least 1 ms. */
  long waitMillis(RpcCall call) {
    if (call.deadlineNanos() == Long.MAX_VALUE) {
      return defaultMillis;
    }
    return Math.max(1, TimeUnit.NANOSECONDS.toMillis(call.deadlineNanos() - clock.nanoTime()));
  }

  /** Returns how long the caller waits in total, since the call arrived. */
  long wholeWaitNanos(RpcCall call) {
    return call.deadlineNanos() == Long.MAX_VALUE
        ? TimeUnit.MILLISECONDS.toNanos(defaultMillis)
        : call.deadlineNanos() - call.receivedNanos();
  }
}
