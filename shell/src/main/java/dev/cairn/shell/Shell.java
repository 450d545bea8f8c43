package dev.cairn.shell;

import dev.cairn.shell.ConsoleLines.CancelledLineException;
import dev.cairn.shell.command.CommandSet;
import dev.cairn.shell.language.Expression;
import dev.cairn.shell.language.SyntaxException;
import dev.cairn.shell.output.Output;
import dev.cairn.shell.run.CommandRunner;
import dev.cairn.shell.run.CommandRunner.ErrorMode;
import dev.cairn.shell.run.CommandRunner.ExitException;
import dev.cairn.shell.run.CommandTable;
import dev.cairn.shell.run.DebugMode;
import dev.cairn.shell.run.Evaluator;
import dev.cairn.shell.run.Failures;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.run.ShellException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/** Runs the statements of a script, and prints their values and errors. */
public final class Shell {
  private final Session session;
  private final ErrorMode errors;
  private final DebugMode debug;
  private final PrintWriter err;
  private final CommandTable commands;
  private final Evaluator evaluator;

  /**
   * Creates a shell.
   *
   * @param session has the connection and the output
   * @param errors whether to continue after an error
   * @param debugs whether errors initially print their causes to {@code err}
   * @param err takes the error that ends the shell
   */
  public Shell(Session session, ErrorMode errors, boolean debugs, PrintWriter err) {
    this.session = session;
    this.errors = errors;
    this.err = err;
    this.debug = new DebugMode(debugs, err);
    this.commands = CommandSet.commands();
    CommandRunner runner = new CommandRunner(commands, session, errors, debug);
    this.evaluator = new Evaluator(runner, name -> CommandSet.constant(commands, name));
  }

  /** Returns the commands. */
  CommandTable commands() {
    return commands;
  }

  /**
   * Runs the statements of all lines.
   *
   * @return the exit status if the shell must end: after {@code exit}, or after an error if the
   *     shell stops at errors
   * @throws IOException if the lines cannot be read
   */
  public Optional<Integer> run(Lines lines) throws IOException {
    StatementReader reader = new StatementReader(lines);
    Output output = session.output();
    Optional<Integer> status = Optional.empty();
    while (status.isEmpty()) {
      try {
        Optional<List<Expression>> statements = reader.next(evaluator.variables());
        if (statements.isEmpty()) {
          return Optional.empty();
        }
        run(statements.get());
      } catch (ExitException e) {
        output.flush();
        return Optional.of(e.status());
      } catch (CancelledLineException e) {
        continue;
      } catch (SyntaxException | ShellException e) {
        status = failed(e);
      } catch (StackOverflowError e) {
        status = failed(new ShellException("The statement is nested too deeply", e));
      } catch (OutOfMemoryError e) {
        status = failed(new ShellException("The statement needs more memory than there is", e));
      }
      output.flush();
    }
    return status;
  }

  /** Prints an error; returns the exit status if the error ends the shell. */
  private Optional<Integer> failed(RuntimeException failure) {
    debug.print(failure);
    if (errors == ErrorMode.STOP) {
      session.output().flush();
      err.println("ERROR: " + Failures.message(failure));
      err.flush();
      return Optional.of(1);
    }
    session.output().error(Failures.message(failure), "");
    return Optional.empty();
  }

  /** Runs the statements of one or more lines, and prints the value of the last one. */
  private void run(List<Expression> statements) {
    for (int i = 0; i < statements.size(); i++) {
      var value = evaluator.value(statements.get(i));
      if (i == statements.size() - 1) {
        session.output().result(value);
      }
    }
  }
}
