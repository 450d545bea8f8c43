package dev.cairn.server.regionserver;

import dev.cairn.server.filter.EvaluationGuard;
import dev.cairn.server.rpc.RpcMethod;

/**
 * Wraps methods that may evaluate filters and comparators. An evaluation stops when its caller no
 * longer waits or disconnects.
 *
 * @param guard stops evaluations
 * @param times returns how long callers wait
 */
record TimedEvaluations(EvaluationGuard guard, CallTimes times) {
  /** Returns {@code handler} with a time limit for its evaluations. */
  <Q, R> RpcMethod.Handler<Q, R> around(RpcMethod.Handler<Q, R> handler) {
    return (call, request) ->
        guard.within(
            call.receivedNanos(),
            times.wholeWaitNanos(call),
            call::isAbandoned,
            () -> handler.handle(call, request));
  }
}
