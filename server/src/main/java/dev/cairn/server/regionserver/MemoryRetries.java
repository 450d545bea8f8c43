package dev.cairn.server.regionserver;

import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.server.rpc.CallInterceptor;
import dev.cairn.server.rpc.MethodPolicy;
import dev.cairn.server.rpc.RpcMethod;

/** Repeats a read after a shortage of memory, even if a part of it was done before. */
record MemoryRetries() implements CallInterceptor {
  @Override
  public <Q, R> RpcMethod.Handler<Q, R> around(MethodPolicy method, RpcMethod.Handler<Q, R> next) {
    if (!method.quota().isRead()) {
      return next;
    }
    return (call, request) -> {
      while (true) {
        try {
          return next.handle(call, request);
        } catch (MemoryShortageException e) {
          if (e.isPermanent() || !call.budget().mayWait()) {
            throw e;
          }
          call.memory().await(e);
        }
      }
    };
  }
}
