package dev.cairn.server.regionserver.membership;

import dev.cairn.server.rpc.service.Admission;
import dev.cairn.server.rpc.service.CallCheck;
import dev.cairn.server.rpc.service.CallInterceptor;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.MethodPolicy;
import java.util.Optional;

/** Admits calls while the server serves; those that have waited in a queue, too. */
public record ServingCheck(ServerState state) implements CallInterceptor {
  @Override
  public <Q> Optional<CallCheck<Q>> check(MethodPolicy method, CallSubject.Reader<Q> subject) {
    return Optional.of(
        (call, request) -> {
          state.checkServing();
          return Admission.THIS_THREAD;
        });
  }
}
