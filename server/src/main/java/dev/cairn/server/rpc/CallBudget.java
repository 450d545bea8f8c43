package dev.cairn.server.rpc;

import java.util.concurrent.TimeUnit;

/**
 * What a method may spend on a call before it returns. {@code rpc} alone decides which thread runs
 * a call, and gives the method the budget of this thread ({@link RpcCall#budget}). A short call of
 * a method that has an {@linkplain MethodPolicy#inline inline budget} runs on its connection's
 * network thread first, because handing it to another thread costs more than such a call. A handler
 * runs all other calls and finishes those that the network thread left.
 *
 * @param mayWait whether the method may block; if not, it reads no file, takes no lock that a
 *     thread holds over I/O, and does no work of unknown cost, such as the evaluation of a filter
 * @param maxBytes the most bytes of cells that it returns
 * @param maxNanos how long it may take since the call came in
 */
public record CallBudget(boolean mayWait, long maxBytes, long maxNanos) {
  /** The budget of a handler thread: the call's own limits hold. */
  public static final CallBudget HANDLER = new CallBudget(true, Long.MAX_VALUE, Long.MAX_VALUE);

  /** Returns the budget of a network thread. */
  static CallBudget inline(long maxBytes, long maxMicros) {
    return new CallBudget(false, maxBytes, TimeUnit.MICROSECONDS.toNanos(maxMicros));
  }
}
