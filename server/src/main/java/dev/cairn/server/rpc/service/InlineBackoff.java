package dev.cairn.server.rpc.service;

import java.util.function.ToIntFunction;

/**
 * Decides whether to try a call of one method on its network thread, because a failed try costs
 * time. After two failures in a row of calls with the same subject it skips the next such call,
 * after three the next two, and so on; each further failure doubles the number. Any number of
 * threads; a lost update is harmless, and so are two subjects that share a slot.
 *
 * @param <Q> the request message
 */
public final class InlineBackoff<Q> {
  private static final int SLOTS = 1 << 12;
  private static final int PASSED_MAX = 64;

  private final ToIntFunction<Q> subject;
  private final byte[] toPass = new byte[SLOTS];
  private final byte[] nextPassed = new byte[SLOTS];

  /**
   * Creates a back-off.
   *
   * @param subject returns a hash of the subject of a request
   */
  public InlineBackoff(ToIntFunction<Q> subject) {
    this.subject = subject;
  }

  private int slot(Q request) {
    int hash = subject.applyAsInt(request);
    return (hash ^ hash >>> 16) & SLOTS - 1;
  }

  /** Decides about one call: true to try it; false to skip it, which is counted. */
  boolean tryNext(Q request) {
    int slot = slot(request);
    byte left = toPass[slot];
    if (left > 0) {
      toPass[slot] = (byte) (left - 1);
      return false;
    }
    return true;
  }

  /** Records the outcome of a try. */
  void tried(Q request, CallOutcome<?> outcome) {
    int slot = slot(request);
    if (outcome instanceof CallOutcome.Unfinished) {
      byte passed = nextPassed[slot];
      toPass[slot] = passed;
      nextPassed[slot] = (byte) Math.min(PASSED_MAX, Math.max(1, 2 * passed));
    } else if (outcome != CallOutcome.declined()) {
      nextPassed[slot] = 0;
    }
  }
}
