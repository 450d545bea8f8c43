package dev.cairn.engine.region;

/**
 * Ends a write that would have to wait, but must not. It is no error and never leaves {@link
 * RegionWriter}, so all writes share one instance without a stack trace.
 */
final class WouldWaitException extends RuntimeException {
  private static final long serialVersionUID = 1;

  static final WouldWaitException INSTANCE = new WouldWaitException();

  private WouldWaitException() {
    super("The write would have to wait", null, false, false);
  }
}
