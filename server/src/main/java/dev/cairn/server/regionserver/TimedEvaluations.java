package dev.cairn.server.regionserver;

import dev.cairn.server.filter.EvaluationGuard;
import dev.cairn.server.rpc.RpcMethod;

/**
 * Stands around methods whose calls may evaluate filters and comparators: an evaluation ends with
 * the time of its caller, and with the caller's connection.
 *
 * @param guard ends evaluations
 * @param times how long callers wait
 */
record TimedEvaluations(EvaluationGuard guard, CallTimes times) {
  /** Returns {@code handler} with an end to the evaluations in it. */
  <Q, R> RpcMethod.Handler<Q, R> around(RpcMethod.Handler<Q, R> handler) {
    return (call, request) ->
        guard.within(
            call.receivedNanos(),
            times.wholeWaitNanos(call),
            call::isAbandoned,
            () -> handler.handle(call, request));
  }
}
