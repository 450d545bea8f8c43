package dev.cairn.server.rpc.service;

import java.util.concurrent.TimeUnit;

/**
 * The budget of a method for a call. {@code rpc} alone decides which thread runs a call, and gives
 * the method the budget of this thread ({@link RpcCall#budget}). A short call of a method that has
 * an {@linkplain MethodPolicy#inline inline budget} runs on its connection's network thread first,
 * because handing it to another thread costs more than such a call. A handler runs all other calls
 * and finishes those that the network thread left.
 *
 * @param mayWait true if the method may block; otherwise it reads no file, takes no lock that a
 *     thread holds over I/O, and does no work of unknown cost, such as the evaluation of a filter
 * @param maxBytes maximum bytes of cells that it returns
 * @param maxNanos maximum time since the call came in
 */
public record CallBudget(boolean mayWait, long maxBytes, long maxNanos) {
  /** The budget of a handler thread: the call's own limits hold. */
  public static final CallBudget HANDLER = new CallBudget(true, Long.MAX_VALUE, Long.MAX_VALUE);

  /** Returns the budget of a network thread. */
  static CallBudget inline(long maxBytes, long maxMicros) {
    return new CallBudget(false, maxBytes, TimeUnit.MICROSECONDS.toNanos(maxMicros));
  }
}
