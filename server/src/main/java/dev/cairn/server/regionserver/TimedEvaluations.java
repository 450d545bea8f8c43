package dev.cairn.server.regionserver;

import dev.cairn.server.filter.EvaluationGuard;
import dev.cairn.server.rpc.CallInterceptor;
import dev.cairn.server.rpc.MethodPolicy;
import dev.cairn.server.rpc.RpcMethod;

/**
 * Limits the evaluation of filters and comparators. An evaluation stops when its caller no longer
 * waits or disconnects.
 *
 * @param guard stops evaluations
 * @param times returns how long callers wait
 */
record TimedEvaluations(EvaluationGuard guard, CallTimes times) implements CallInterceptor {
  @Override
  public <Q, R> RpcMethod.Handler<Q, R> around(MethodPolicy method, RpcMethod.Handler<Q, R> next) {
    return (call, request) ->
        guard.within(
            call.receivedNanos(),
            times.wholeWaitNanos(call),
            call::isAbandoned,
            () -> next.handle(call, request));
  }
}
