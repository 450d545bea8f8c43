package dev.cairn.engine.memory;

/**
 * Memory that was to be allocated could not be borrowed. Unchecked, because it comes out of the
 * growth of a buffer deep inside a read. Whoever catches it drops what it has gathered; then it may
 * wait for {@link #neededBytes} and begin again, or tell the client.
 */
public final class MemoryShortageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final long neededBytes;
  private final boolean permanent;

  private MemoryShortageException(String message, long neededBytes, boolean permanent) {
    super(message, null, false, false); // no fault to be traced
    this.neededBytes = neededBytes;
    this.permanent = permanent;
  }

  /** Returns an exception for memory that may be there later. */
  public static MemoryShortageException forNow(long neededBytes, MemoryAccount account) {
    return new MemoryShortageException(
        "The server has no memory for this call now: it needs "
            + neededBytes
            + " bytes, and "
            + account.borrowedBytes()
            + " of the "
            + account.limitBytes()
            + " bytes for calls are taken; try again, ask for less at once, or give the server a"
            + " larger heap",
        neededBytes,
        false);
  }

  /** Returns an exception for memory that can never be there; the message says which limit. */
  public static MemoryShortageException forGood(long neededBytes, String message) {
    return new MemoryShortageException(message, neededBytes, true);
  }

  /** Returns how many bytes the borrower needs in all, those that it held included. */
  public long neededBytes() {
    return neededBytes;
  }

  /** Tells whether trying again is of no use. */
  public boolean isPermanent() {
    return permanent;
  }
}
