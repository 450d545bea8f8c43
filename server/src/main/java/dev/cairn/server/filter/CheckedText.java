package dev.cairn.server.filter;

/** Text that checks a limit from time to time while it is read. For one search on one thread. */
final class CheckedText implements CharSequence {
  /** The number of characters between two checks of the clock; a power of two. */
  private static final int CHECK_EVERY = 4096;

  private final String text;
  private final EvaluationGuard.Limit limit;
  private int reads;

  CheckedText(String text, EvaluationGuard.Limit limit) {
    this.text = text;
    this.limit = limit;
  }

  @Override
  public char charAt(int index) {
    if ((++reads & CHECK_EVERY - 1) == 0) {
      limit.check();
    }
    return text.charAt(index);
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return text.substring(start, end);
  }

  @Override
  public String toString() {
    return text;
  }
}
