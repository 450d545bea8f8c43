package dev.cairn.engine.memory;

/**
 * Reports that memory could not be borrowed. It is unchecked because buffers throw it when they
 * grow, deep inside a read. The catcher discards the partial result. It may then wait for {@link
 * #neededBytes} and start again, or report the error to the client.
 */
public final class MemoryShortageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final long neededBytes;
  private final boolean permanent;

  private MemoryShortageException(String message, long neededBytes, boolean permanent) {
    super(message, null, false, false); // an expected condition: no stack trace
    this.neededBytes = neededBytes;
    this.permanent = permanent;
  }

  /** Returns an exception for a shortage that may pass. */
  public static MemoryShortageException forNow(long neededBytes, MemoryAccount account) {
    return new MemoryShortageException(
        "The server lacks memory for this call: it needs "
            + neededBytes
            + " bytes, and "
            + account.borrowedBytes()
            + " of the "
            + account.limitBytes()
            + " bytes for calls are in use. Try again, request less data per call, or give"
            + " the server a larger heap",
        neededBytes,
        false);
  }

  /** Returns an exception for a request above a limit; {@code message} names the limit. */
  public static MemoryShortageException forGood(long neededBytes, String message) {
    return new MemoryShortageException(message, neededBytes, true);
  }

  /** Returns the bytes that the borrower needs in total, including those that it had borrowed. */
  public long neededBytes() {
    return neededBytes;
  }

  /** Tells whether every retry fails, too. */
  public boolean isPermanent() {
    return permanent;
  }
}
