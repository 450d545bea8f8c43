package dev.cairn.shell;

import dev.cairn.shell.console.Console;
import dev.cairn.shell.run.ShellException;
import java.io.IOException;
import java.util.Optional;

/** Reads the lines of a person at a console. */
final class ConsoleLines implements Lines {
  private final Console console;

  ConsoleLines(Console console) {
    this.console = console;
  }

  @Override
  public Optional<String> next(String prompt) throws IOException {
    return next(prompt, "");
  }

  @Override
  public Optional<String> next(String prompt, String begun) throws IOException {
    Thread.interrupted(); // clears a Ctrl-C that arrived after its command ended
    Console.Typed typed = console.next(prompt, begun);
    return switch (typed.input()) {
      case LINE -> Optional.of(typed.text());
      case CANCELLED -> throw new CancelledLineException();
      case END -> Optional.empty();
    };
  }

  /** The user discarded the current statement. */
  static final class CancelledLineException extends ShellException {
    CancelledLineException() {
      super("Cancelled");
    }
  }
}
