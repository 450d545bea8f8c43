package dev.cairn.server.rpc.service;

/**
 * The branches of the handling of calls that exist for speed; CONTRIBUTING.md explains marks.
 * {@code LossyWireTest} must reach all of these.
 */
public enum CallMark {
  /** A network thread answered a call. */
  INLINE_ANSWER,
  /** A network thread began a call, which another thread answered. */
  INLINE_DEFERRED,
  /** A handler continued a call that a network thread had begun. */
  INLINE_CONTINUED,
  /** A handler restarted a call, because the budget of the network thread did not suffice. */
  INLINE_BEGUN_AGAIN,
  /**
   * A call went to a handler at once, because network threads had not finished earlier calls like
   * it.
   */
  INLINE_BACKED_OFF
}
