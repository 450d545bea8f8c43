package dev.cairn.server.rpc.service;

/**
 * An interceptor's admission of one call, which hears of the call's further course. {@link
 * CallWork} calls its methods, in the reverse order of the interceptors.
 */
public interface Admission {
  /** Admits the call, and needs to hear no more of it. */
  Admission FREE = new Admission() {};

  /**
   * Admits the work of this thread alone: if a handler begins the call again or continues it, it
   * asks again. For checks of a state that may change while the call waits in its queue.
   */
  Admission THIS_THREAD = new Admission() {};

  /** Postpones the decision: it may wait, so a handler has to ask. Only for network threads. */
  Admission ON_HANDLER = new Admission() {};

  /**
   * The thread that asked for the admission has done its part of the work. Release here what is
   * bound to that thread. Called before {@link #ended}.
   */
  default void left() {}

  /**
   * The call has ended. Comes once, before the response is sent; the thread is any, and must not
   * wait.
   */
  default void ended(RpcCall call, CallEnd end) {}
}
