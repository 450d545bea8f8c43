package dev.cairn.shell;

import dev.cairn.shell.EchoedLines.Echo;
import dev.cairn.shell.output.JsonOutput;
import dev.cairn.shell.output.Output;
import dev.cairn.shell.output.TextOutput;
import dev.cairn.shell.run.CommandRunner.ErrorMode;
import dev.cairn.shell.run.Progress;
import dev.cairn.shell.run.Session;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;

/** A shell for a process's streams: runs the script of its arguments, then standard input. */
public final class ShellProgram {
  private final ShellArguments arguments;
  private final Session.Connector connector;
  private final InputStream in;
  private final PrintStream out;
  private final PrintStream err;

  /** What answers the questions of commands: the lines that are read at the moment. */
  private Lines current = prompt -> Optional.empty();

  /**
   * Creates a program.
   *
   * @param connector opens the connection when the first command needs it
   */
  public ShellProgram(
      ShellArguments arguments,
      Session.Connector connector,
      InputStream in,
      PrintStream out,
      PrintStream err) {
    this.arguments = arguments;
    this.connector = connector;
    this.in = in;
    this.out = out;
    this.err = err;
  }

  /**
   * Runs until the input ends, {@code exit} is called, or an error ends the shell.
   *
   * @param errorIsTerminal whether a person sees standard error
   * @return the exit status: that of {@code exit}; 1 after an error with {@code -n}; else 0
   * @throws IOException if the script cannot be read
   */
  public int run(boolean errorIsTerminal) throws IOException {
    if (arguments.helps()) {
      out.print(ShellArguments.USAGE);
      out.flush();
      return 0;
    }
    PrintWriter writer =
        new PrintWriter(new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8)));
    Output output = arguments.json() ? new JsonOutput(writer) : new TextOutput(writer, 0);
    Progress progress = errorIsTerminal ? new ProgressLine(err) : Progress.NONE;
    try (Session session =
        new Session(connector, output, this::answer, progress, Clock.systemDefaultZone())) {
      Shell shell =
          new Shell(
              session,
              arguments.stopsAtErrors() ? ErrorMode.STOP : ErrorMode.CONTINUE,
              arguments.debugs(),
              new PrintWriter(err, true));
      if (arguments.script().isPresent()) {
        Optional<Integer> status = runFile(shell, arguments.script().get(), output);
        if (status.isPresent() || arguments.stopsAtErrors()) {
          return status.orElse(0);
        }
      }
      return run(
              shell, new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)), output)
          .orElse(0);
    } finally {
      writer.flush();
    }
  }

  private Optional<Integer> runFile(Shell shell, Path script, Output output) throws IOException {
    if (!Files.isReadable(script)) {
      throw new IOException("The script " + script + " does not exist or cannot be read");
    }
    try (BufferedReader reader = Files.newBufferedReader(script)) {
      return run(shell, reader, output);
    }
  }

  private Optional<Integer> run(Shell shell, BufferedReader reader, Output output)
      throws IOException {
    current = new EchoedLines(reader, output, arguments.json() ? Echo.SILENT : Echo.PRINTED);
    return shell.run(current);
  }

  private Optional<String> answer() {
    try {
      return current.next("");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
