package dev.cairn.server.hadoop;

/** Formats the reason of a failure for a message of one line. */
final class Reason {
  private Reason() {}

  /** Returns the message without the stack trace that a NameNode or DataNode adds to it. */
  static String of(Throwable failure) {
    String text = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    return text.lines().findFirst().orElse(text);
  }
}
