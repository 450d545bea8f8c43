package dev.cairn.shell.run;

import dev.cairn.shell.value.Text;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Runs commands: checks their arguments, and prints their errors and durations. */
public final class CommandRunner {
  private final CommandTable commands;
  private final Session session;
  private final ErrorMode errors;
  private final DebugMode debug;

  /** The reaction to the error of a command. */
  public enum ErrorMode {
    /** Prints the error and continues the script. */
    CONTINUE,
    /** The error ends the script. */
    STOP
  }

  /**
   * Creates a runner of these commands.
   *
   * @param debug prints what caused an error
   */
  public CommandRunner(CommandTable commands, Session session, ErrorMode errors, DebugMode debug) {
    this.commands = commands;
    this.session = session;
    this.errors = errors;
    this.debug = debug;
  }

  CommandTable commands() {
    return commands;
  }

  /**
   * Runs a command and prints its duration.
   *
   * @return its value; {@code nil} after an error that was printed
   * @throws ShellException after an error that ends the script
   */
  Value run(Command command, Arguments arguments) {
    long begin = System.nanoTime();
    try {
      if (!command.takes(arguments.size())) {
        throw new ShellException(
            "wrong number of arguments (given "
                + arguments.size()
                + ", expected "
                + command.expected()
                + ")");
      }
      Value value = command.action().run(session, arguments);
      took(begin);
      return value;
    } catch (IOException | RuntimeException e) {
      if (e instanceof ExitException exit) {
        throw exit;
      }
      if (Failures.isInterruption(e)) {
        throw new ShellException("Interrupted", e);
      }
      String message = Failures.message(e);
      if (errors == ErrorMode.STOP) {
        took(begin);
        throw new ShellException(message, e);
      }
      session.output().error(message, "For usage try 'help \"" + command.name() + "\"'");
      debug.print(e);
      took(begin);
      return Value.NIL;
    }
  }

  private void took(long begin) {
    session.output().took(Duration.ofNanos(System.nanoTime() - begin));
  }

  /** Runs a built-in method of the language; empty if there is none with this name. */
  Optional<Value> builtin(String name, Supplier<List<Value>> arguments) {
    switch (name) {
      case "puts" -> {
        List<Value> values = arguments.get();
        (values.isEmpty() ? List.of(Text.EMPTY) : values).forEach(this::line);
      }
      case "print" -> arguments.get().forEach(v -> session.output().letters(v.text().letters()));
      case "p" -> arguments.get().forEach(v -> session.output().line(v.inspected()));
      case "debug" -> {
        debug.toggle();
        session.output().line(debug.told());
      }
      case "debug?" -> session.output().line(debug.told());
      case "sleep" -> pause(arguments.get());
      case "exit", "quit" -> throw new ExitException(status(arguments.get()));
      case "help" -> new Help(commands, session.output()).print(arguments.get());
      default -> {
        return Optional.empty();
      }
    }
    return Optional.of(Value.NIL);
  }

  private void line(Value value) {
    if (value instanceof Value.Array array) {
      array.items().forEach(this::line);
    } else {
      session.output().line(value.text().letters());
    }
  }

  private static int status(List<Value> arguments) {
    if (arguments.isEmpty()) {
      return 0;
    }
    return arguments.get(0) instanceof Value.Bool bool
        ? bool.value() ? 0 : 1
        : Conversions.integer(arguments.get(0), "The status of exit");
  }

  private static void pause(List<Value> arguments) {
    Value seconds = arguments.isEmpty() ? Value.NIL : arguments.get(0);
    double length =
        seconds instanceof Value.Decimal number
            ? number.value()
            : Conversions.number(seconds, "The seconds of sleep");
    try {
      Thread.sleep((long) (length * 1000));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ShellException("Interrupted", e);
    }
  }

  /** A script calls {@code exit}. */
  public static final class ExitException extends RuntimeException {
    private final int status;

    ExitException(int status) {
      super("exit " + status, null, false, false);
      this.status = status;
    }

    /** Returns the exit status of the process. */
    public int status() {
      return status;
    }
  }
}
