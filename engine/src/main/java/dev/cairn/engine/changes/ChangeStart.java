package dev.cairn.engine.changes;

/** The point from which a {@link ChangeReader} reads. */
public sealed interface ChangeStart {
  /** With the oldest change that the logs have. */
  record Oldest() implements ChangeStart {}

  /** With the first change after the reader was opened. */
  record Now() implements ChangeStart {}

  /**
   * With the first change that was written at a time or later.
   *
   * @param millis milliseconds since 1970
   */
  record At(long millis) implements ChangeStart {}

  /** After the changes before a position. */
  record After(ChangePosition position) implements ChangeStart {}

  /**
   * Returns a start after a place.
   *
   * @param token the {@linkplain ChangePosition#text text} of the place
   * @throws IllegalArgumentException if it is not a complete token
   */
  static ChangeStart after(String token) {
    return new After(ChangePosition.parse(token));
  }

  /** Returns a start with the first change after the reader was opened. */
  static ChangeStart now() {
    return new Now();
  }
}
