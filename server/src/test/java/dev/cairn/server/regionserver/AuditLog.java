package dev.cairn.server.regionserver;

import dev.cairn.server.rpc.Attempt;
import dev.cairn.server.rpc.CallInterceptor;
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
    return method.quota() == Quota.NONE
        ? next
        : (call, request) -> recorded(method, call, () -> next.handle(call, request));
  }

  @Override
  public <Q, R> RpcMethod.InlineHandler<Q, R> aroundInline(
      MethodPolicy method, RpcMethod.InlineHandler<Q, R> next) {
    return (call, request) -> {
      Attempt<R> attempt = next.attempt(call, request);
      if (attempt instanceof Attempt.Answered) {
        record(method, call, "inline");
      } else if (attempt instanceof Attempt.Deferred<R> deferred) {
        deferred.response().whenComplete((response, e) -> record(method, call, outcome(e)));
      } else if (attempt instanceof Attempt.Partial<R> partial) {
        return new Attempt.Partial<>(
            new Attempt.Continuation<>() {
              @Override
              public R finish() throws IOException {
                return recorded(method, call, partial.continuation()::finish);
              }

              @Override
              public void drop() {
                partial.continuation().drop();
              }
            });
      }
      return attempt;
    };
  }

  @FunctionalInterface
  private interface Answer<R> {
    R get() throws IOException;
  }

  private <R> R recorded(MethodPolicy method, RpcCall call, Answer<R> answer) throws IOException {
    try {
      R response = answer.get();
      record(method, call, outcome(null));
      return response;
    } catch (IOException | RuntimeException e) {
      record(method, call, outcome(e));
      throw e;
    }
  }

  private static String outcome(Throwable error) {
    return error == null ? "done" : error.getClass().getSimpleName();
  }

  private void record(MethodPolicy method, RpcCall call, String outcome) {
    lines.add(call.user() + " " + method.fullName() + " " + outcome);
  }
}
