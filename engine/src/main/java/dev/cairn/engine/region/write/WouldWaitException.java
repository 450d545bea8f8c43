package dev.cairn.engine.region.write;

import dev.cairn.engine.region.RegionWriter;

/**
 * Ends a write that would have to wait, but must not. It is no error and never leaves {@link
 * RegionWriter}, so all writes share one instance without a stack trace.
 */
public final class WouldWaitException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public static final WouldWaitException INSTANCE = new WouldWaitException();

  private WouldWaitException() {
    super("The write would have to wait", null, false, false);
  }
}
