package dev.cairn.server.rpc;

/**
 * Checks, limits or records calls before the methods of a service. A service wraps each method in
 * its interceptors when the method is registered ({@link RpcService.Builder#behind}). Thread-safe.
 */
public interface CallInterceptor {
  /** Returns {@code next} with this interceptor before it. */
  <Q, R> RpcMethod.Handler<Q, R> around(MethodPolicy method, RpcMethod.Handler<Q, R> next);

  /**
   * Returns {@code next} with this interceptor before it. If {@code next} declines a call, the
   * handler gets it. The interceptor must not block, as {@link RpcMethod.InlineHandler} must not.
   */
  default <Q, R> RpcMethod.InlineHandler<Q, R> aroundInline(
      MethodPolicy method, RpcMethod.InlineHandler<Q, R> next) {
    return next;
  }
}
