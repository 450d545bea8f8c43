package dev.cairn.torture.model;

/** The database answered what no possible past explains. */
public final class Difference extends RuntimeException {
  /** Creates one; the message has the question, the expectation and the answer. */
  public Difference(String message) {
    super(message);
  }
}
