package dev.cairn.server.regionserver;

import dev.cairn.server.rpc.service.Admission;
import dev.cairn.server.rpc.service.CallCheck;
import dev.cairn.server.rpc.service.CallEnd;
import dev.cairn.server.rpc.service.CallInterceptor;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.MethodPolicy;
import dev.cairn.server.rpc.service.RpcCall;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Records each call once, with its caller, its subject and its outcome, wherever it is answered.
 */
final class AuditLog implements CallInterceptor {
  final Queue<String> lines = new ConcurrentLinkedQueue<>();

  @Override
  public <Q> Optional<CallCheck<Q>> check(MethodPolicy method, CallSubject.Reader<Q> subject) {
    return Optional.of(
        (call, request) -> {
          String what = method.fullName() + " of " + words(subject.read(call, request));
          return new Admission() {
            @Override
            public void ended(RpcCall ended, CallEnd end) {
              String outcome = end.failure().map(e -> e.getClass().getSimpleName()).orElse("done");
              lines.add(call.user() + " " + what + ": " + outcome);
            }
          };
        });
  }

  private static String words(CallSubject subject) {
    if (subject instanceof CallSubject.Regions regions) {
      return regions.regions().size() + " region";
    }
    return subject.toString();
  }
}
