package dev.cairn.server.rpc;

/**
 * Stands before the methods of a service: checks, limits or records their calls. A service wraps
 * each method in its interceptors when the method is registered ({@link
 * RpcService.Builder#behind}). Any number of threads.
 */
public interface CallInterceptor {
  /** Returns {@code next} with this interceptor before it. */
  <Q, R> RpcMethod.Handler<Q, R> around(MethodPolicy method, RpcMethod.Handler<Q, R> next);

  /**
   * Returns {@code next} with this interceptor before it. A call that {@code next} declines reaches
   * the handler afterwards. As {@link RpcMethod.InlineHandler}, the interceptor must not block.
   */
  default <Q, R> RpcMethod.InlineHandler<Q, R> aroundInline(
      MethodPolicy method, RpcMethod.InlineHandler<Q, R> next) {
    return next;
  }
}
