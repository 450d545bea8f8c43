package dev.cairn.server.rpc.service;

import java.io.IOException;

/**
 * Checks the calls of one method before the method does anything; an interceptor's part of the
 * method. Any number of threads.
 *
 * @param <Q> the request message
 */
@FunctionalInterface
public interface CallCheck<Q> {
  /**
   * Admits or refuses a call. Asked once for each call, by the thread that is about to do its work.
   * If the answer is {@link Admission#ON_HANDLER} or {@link Admission#THIS_THREAD}, a handler asks
   * again.
   *
   * @param call its budget says whether this may wait
   * @throws IOException refuses the call, with this error for the client
   */
  Admission admit(RpcCall call, Q request) throws IOException;
}
