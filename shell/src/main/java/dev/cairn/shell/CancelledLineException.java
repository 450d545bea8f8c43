package dev.cairn.shell;

import dev.cairn.shell.run.ShellException;

/** A person dropped the statement that was being typed. */
final class CancelledLineException extends ShellException {
  CancelledLineException() {
    super("Cancelled");
  }
}
