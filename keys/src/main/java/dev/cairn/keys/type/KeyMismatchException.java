package dev.cairn.keys.type;

/** Thrown if bytes are not a key of the expected format: another program wrote them. */
public final class KeyMismatchException extends IllegalArgumentException {
  private final int offset;

  /** Creates an exception for the byte at this offset of the key. */
  public KeyMismatchException(int offset, String reason) {
    super("byte " + offset + ": " + reason);
    this.offset = offset;
  }

  /** Creates an exception that names the part, too. */
  public KeyMismatchException(String part, KeyMismatchException cause) {
    super("part " + part + ", " + cause.getMessage(), cause);
    this.offset = cause.offset;
  }

  /** Returns the offset of the byte where the key differs from its format. */
  public int offset() {
    return offset;
  }
}
