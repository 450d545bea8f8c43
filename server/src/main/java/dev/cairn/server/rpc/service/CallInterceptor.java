package dev.cairn.server.rpc.service;

import java.util.Optional;

/**
 * Checks, limits or records the calls of a server's services. All methods of all services pass all
 * interceptors of the process ({@link RpcService#builder}), each once for each call, also if the
 * call begins on a network thread and ends on a handler, unless the interceptor asks for more
 * ({@link Admission#THIS_THREAD}). Thread-safe.
 */
@FunctionalInterface
public interface CallInterceptor {
  /**
   * Returns the check before each call of one method; empty if there is none. Called once, when the
   * method is registered.
   *
   * @param subject reads the subject of a call from its request
   */
  <Q> Optional<CallCheck<Q>> check(MethodPolicy method, CallSubject.Reader<Q> subject);
}
