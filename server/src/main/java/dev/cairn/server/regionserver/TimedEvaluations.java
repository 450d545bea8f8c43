package dev.cairn.server.regionserver;

import dev.cairn.server.filter.EvaluationEndedException;
import dev.cairn.server.filter.EvaluationGuard;
import dev.cairn.server.request.GetMessage;
import dev.cairn.server.request.MutateMessage;
import dev.cairn.server.request.ScanMessage;
import dev.cairn.server.rpc.CallInterceptor;
import dev.cairn.server.rpc.CallOutcome;
import dev.cairn.server.rpc.MethodPolicy;
import dev.cairn.server.rpc.RpcMethod;
import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * Limits the evaluation of filters and comparators. An evaluation stops when its caller no longer
 * waits or disconnects. Network threads evaluate nothing, because the cost of an evaluation is
 * unknown.
 *
 * @param guard stops evaluations
 * @param times returns how long callers wait
 */
record TimedEvaluations(EvaluationGuard guard, CallTimes times) implements CallInterceptor {
  @Override
  public <Q, R> RpcMethod.Handler<Q, R> around(MethodPolicy method, RpcMethod.Handler<Q, R> next) {
    return (call, request) -> {
      if (!mayEvaluate(request)) {
        return next.handle(call, request);
      }
      if (!call.budget().mayWait()) {
        return CallOutcome.declined();
      }
      try (EvaluationGuard.Limit limit =
          guard.limit(call.receivedNanos(), times.wholeWaitNanos(call), call::isAbandoned)) {
        return next.handle(call, request);
      } catch (IOException e) {
        throw call.isAbandoned() && isEnded(e)
            ? new DoNotRetryIOException("The call was ended by an operator of the server")
            : e;
      }
    };
  }

  private static boolean isEnded(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof EvaluationEndedException) {
        return true;
      }
    }
    return false;
  }

  /** Tells whether a call may have a filter or a condition. */
  private static boolean mayEvaluate(Object request) {
    if (request instanceof GetMessage get) {
      return get.hasFilter();
    }
    if (request instanceof ScanMessage scan
        && scan.subject() instanceof ScanMessage.Opening opening) {
      return opening.hasFilter();
    }
    return !(request instanceof MutateMessage mutate) || mutate.condition().isPresent();
  }
}
