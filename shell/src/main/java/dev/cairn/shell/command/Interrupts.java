package dev.cairn.shell.command;

import java.io.InterruptedIOException;

/** Stops long commands that the user cancels. */
final class Interrupts {
  private Interrupts() {}

  /**
   * Does nothing unless the command was cancelled.
   *
   * @throws InterruptedIOException if it was
   */
  static void check() throws InterruptedIOException {
    if (Thread.interrupted()) {
      throw new InterruptedIOException("Interrupted");
    }
  }
}
