package dev.cairn.server.regionserver;

import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.server.rpc.Attempt;
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
        throw EngineErrors.forClient(e);
      }
    };
  }

  @Override
  public <Q, R> RpcMethod.InlineHandler<Q, R> aroundInline(
      MethodPolicy method, RpcMethod.InlineHandler<Q, R> next) {
    return (call, request) -> {
      state.checkServing();
      Attempt<R> attempt;
      try {
        attempt = next.attempt(call, request);
      } catch (MemoryShortageException e) {
        return Attempt.declined(); // a handler thread may wait for memory
      } catch (IOException | RuntimeException e) {
        throw EngineErrors.forClient(e);
      }
      if (attempt instanceof Attempt.Deferred<R> deferred) {
        return new Attempt.Deferred<>(
            deferred.response(), e -> translated(deferred.errors().apply(e)));
      }
      return attempt instanceof Attempt.Partial<R> partial
          ? new Attempt.Partial<>(new Translating<>(partial.continuation()))
          : attempt;
    };
  }

  private static Throwable translated(Throwable error) {
    return error instanceof Error ? error : EngineErrors.forClient(error);
  }

  private record Translating<R>(Attempt.Continuation<R> next) implements Attempt.Continuation<R> {
    @Override
    public R finish() throws IOException {
      try {
        return next.finish();
      } catch (IOException | RuntimeException e) {
        throw EngineErrors.forClient(e);
      }
    }

    @Override
    public void drop() {
      next.drop();
    }
  }
}
