package dev.cairn.engine.region;

/**
 * Ends a write that must not wait where it would have to. It is no error and never leaves {@link
 * RegionWriter}, so there is one for all, without a stack.
 */
final class WouldWaitException extends RuntimeException {
  private static final long serialVersionUID = 1;

  static final WouldWaitException INSTANCE = new WouldWaitException();

  private WouldWaitException() {
    super("The write would have to wait", null, false, false);
  }
}
