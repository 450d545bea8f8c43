package dev.cairn.server.regionserver;

import dev.cairn.server.rpc.CallInterceptor;
import dev.cairn.server.rpc.CallOutcome;
import dev.cairn.server.rpc.MethodPolicy;
import dev.cairn.server.rpc.MethodPolicy.Quota;
import dev.cairn.server.rpc.RpcCall;
import dev.cairn.server.rpc.RpcMethod;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Records each read and write once, with its caller and its outcome, wherever it is answered. */
final class AuditLog implements CallInterceptor {
  final Queue<String> lines = new ConcurrentLinkedQueue<>();

  @Override
  public <Q, R> RpcMethod.Handler<Q, R> around(MethodPolicy method, RpcMethod.Handler<Q, R> next) {
    if (method.quota() == Quota.NONE) {
      return next;
    }
    return (call, request) -> {
      try {
        CallOutcome<R> outcome = next.handle(call, request);
        if (outcome instanceof CallOutcome.Answered) {
          record(method, call, call.budget().mayWait() ? "done" : "inline");
        } else if (outcome instanceof CallOutcome.Deferred<R> deferred) {
          deferred.response().whenComplete((response, e) -> record(method, call, outcome(e)));
        }
        return outcome;
      } catch (IOException | RuntimeException e) {
        record(method, call, outcome(e));
        throw e;
      }
    };
  }

  private static String outcome(Throwable error) {
    return error == null ? "done" : error.getClass().getSimpleName();
  }

  private void record(MethodPolicy method, RpcCall call, String outcome) {
    lines.add(call.user() + " " + method.fullName() + " " + outcome);
  }
}
