package dev.cairn.server.regionserver.client;

import dev.cairn.server.filter.EvaluationGuard;
import dev.cairn.server.request.GetMessage;
import dev.cairn.server.request.MutateMessage;
import dev.cairn.server.request.ScanMessage;
import dev.cairn.server.rpc.service.Admission;
import dev.cairn.server.rpc.service.CallCheck;
import dev.cairn.server.rpc.service.CallInterceptor;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.MethodPolicy;
import dev.cairn.server.rpc.service.RpcCall;
import java.util.Optional;

/**
 * Limits the evaluation of filters and comparators. An evaluation stops when its caller no longer
 * waits or disconnects. Network threads evaluate nothing, because the cost of an evaluation is
 * unknown.
 *
 * @param guard stops evaluations
 * @param times returns how long callers wait
 */
public record TimedEvaluations(EvaluationGuard guard, CallTimes times) implements CallInterceptor {
  @Override
  public <Q> Optional<CallCheck<Q>> check(MethodPolicy method, CallSubject.Reader<Q> subject) {
    return Optional.of(
        (call, request) -> {
          if (!mayEvaluate(request)) {
            return Admission.FREE;
          }
          return call.budget().mayWait() ? limit(call) : Admission.ON_HANDLER;
        });
  }

  private Admission limit(RpcCall call) {
    EvaluationGuard.Limit limit =
        guard.limit(call.receivedNanos(), times.wholeWaitNanos(call), call::isAbandoned);
    return new Admission() {
      @Override
      public void left() {
        limit.close();
      }
    };
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
