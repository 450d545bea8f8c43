package dev.cairn.server.rpc;

/**
 * Checks, limits or records calls before the methods of a service. A service wraps each method in
 * its interceptors when the method is registered ({@link RpcService.Builder#behind}). A call that
 * the network thread does not finish passes them again on its handler, which then has another
 * {@link RpcCall#budget}. Thread-safe.
 */
public interface CallInterceptor {
  /** Returns {@code next} with this interceptor before it. */
  <Q, R> RpcMethod.Handler<Q, R> around(MethodPolicy method, RpcMethod.Handler<Q, R> next);
}
