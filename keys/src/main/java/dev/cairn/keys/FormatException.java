package dev.cairn.keys;

/** Thrown if a text is not a format. The message names the position, the part and the remedy. */
public final class FormatException extends IllegalArgumentException {
  private final int position;

  FormatException(int position, String part, String reason) {
    super("position " + position + ", part " + part + ": " + reason);
    this.position = position;
  }

  /** Returns the offset of the character where the text is wrong, from 0. */
  public int position() {
    return position;
  }
}
