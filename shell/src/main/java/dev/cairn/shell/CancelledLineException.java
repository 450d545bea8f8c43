package dev.cairn.shell;

import dev.cairn.shell.run.ShellException;

/** The user discarded the current statement. */
final class CancelledLineException extends ShellException {
  CancelledLineException() {
    super("Cancelled");
  }
}
