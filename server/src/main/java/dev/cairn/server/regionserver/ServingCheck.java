package dev.cairn.server.regionserver;

import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.server.rpc.CallInterceptor;
import dev.cairn.server.rpc.MethodPolicy;
import dev.cairn.server.rpc.RpcMethod;
import java.io.IOException;

/**
 * Admits calls while the server serves, and translates the errors of methods into errors that
 * clients know.
 */
record ServingCheck(ServerState state) implements CallInterceptor {
  @Override
  public <Q, R> RpcMethod.Handler<Q, R> around(MethodPolicy method, RpcMethod.Handler<Q, R> next) {
    return (call, request) -> {
      state.checkServing();
      try {
        return next.handle(call, request);
      } catch (IOException | RuntimeException e) {
        if (e instanceof MemoryShortageException && !call.budget().mayWait()) {
          throw e; // a handler thread may wait for memory
        }
        throw EngineErrors.forClient(e);
      }
    };
  }
}
