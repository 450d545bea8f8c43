package dev.cairn.torture.model;

/** The database answered what no possible past explains. */
public final class Difference extends RuntimeException {
  /** Creates one; the message says what was asked, expected and found. */
  public Difference(String message) {
    super(message);
  }
}
