package dev.cairn.server.filter;

/** A text that is not valid in the filter language; the message gives the place and the reason. */
public final class FilterSyntaxException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final int position;

  FilterSyntaxException(String text, int position, String why) {
    this(text, position, why, null);
  }

  FilterSyntaxException(String text, int position, String why, Throwable cause) {
    super(why + " at position " + (position + 1) + " of: " + text, cause);
    this.position = position;
  }

  /** Returns the index of the character at which it goes wrong, from 0. */
  public int position() {
    return position;
  }
}
