package dev.cairn.shell;

import dev.cairn.shell.EchoedLines.Echo;
import dev.cairn.shell.console.Console;
import dev.cairn.shell.output.JsonOutput;
import dev.cairn.shell.output.Output;
import dev.cairn.shell.output.TextOutput;
import dev.cairn.shell.run.CommandRunner.ErrorMode;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.run.Session.Progress;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.Closeable;
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
import org.jline.terminal.Terminal;

/**
 * Runs a shell on a process's streams: the script of its arguments, then standard input.
 *
 * <p>Closing it closes the connection, which takes a third of a second. A process that is about to
 * end need not wait for that.
 */
public final class ShellProgram implements Closeable {
  private final ShellArguments arguments;
  private final Session.Connector connector;
  private final InputStream in;
  private final PrintStream out;
  private final PrintStream err;

  /** The current source of lines, which answers the questions of commands. */
  private Lines current = prompt -> Optional.empty();

  private Optional<Session> session = Optional.empty();

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
   * The properties of a process's streams.
   *
   * @param console opens the terminal of standard input and output; empty if they are no terminal
   * @param errors whether standard error is a terminal
   * @param history the file of the history
   */
  public record Terminals(Optional<Console.Opener> console, boolean errors, Path history) {}

  /**
   * Runs until the input ends, {@code exit} is called, or an error ends the shell.
   *
   * @return the exit status: that of {@code exit}; 1 after an error with {@code -n}; else 0
   * @throws IOException if the script cannot be read
   */
  public int run(Terminals terminals) throws IOException {
    if (arguments.helps()) {
      out.print(ShellArguments.USAGE);
      out.flush();
      return 0;
    }
    boolean promptFirst = arguments.script().isEmpty();
    if (terminals.console().isEmpty() || arguments.stopsAtErrors() && !promptFirst) {
      connector.begin();
      return runStreams(terminals.errors());
    }
    if (!promptFirst) {
      connector.begin();
    }
    return runConsole(terminals.console().get().open(), terminals.history());
  }

  private int runStreams(boolean shows) throws IOException {
    ProgressLine progress =
        new ProgressLine(
            new PrintWriter(err),
            new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8)),
            System::nanoTime);
    PrintWriter writer = progress.output();
    Output output = arguments.json() ? new JsonOutput(writer) : new TextOutput(writer, 0);
    try {
      Shell shell = shell(open(output, shows ? progress : Progress.NONE));
      Optional<Integer> status = runScript(shell, output);
      if (status.isPresent()) {
        return status.get();
      }
      return run(shell, "Standard input", reader(in), output).orElse(0);
    } finally {
      writer.flush();
    }
  }

  /** Runs at a terminal, and closes it. */
  private int runConsole(Terminal terminal, Path history) throws IOException {
    Console.Paging paging = arguments.pages() ? Console.Paging.BY_SCREENS : Console.Paging.NONE;
    try (Console console = new Console(terminal, paging, Thread.currentThread()::interrupt)) {
      ProgressLine progress =
          new ProgressLine(console.terminal(), console.writer(), console::runningNanos);
      PrintWriter writer = progress.output();
      Output output =
          arguments.json() ? new JsonOutput(writer) : new TextOutput(writer, console.width());
      try {
        Session opened = open(output, progress);
        Shell shell = shell(opened);
        Optional<Integer> status = runScript(shell, output);
        if (status.isPresent()) {
          return status.get();
        }
        // The prompt appears first: on few processors, connecting would delay it.
        console.prepare(shell.commands(), opened, history, connector::begin);
        output.line("Cairn's shell speaks the language of the HBase shell.");
        output.line("help lists the commands; exit leaves.");
        output.flush();
        current = new ConsoleLines(console);
        return shell.run(current).orElse(0);
      } finally {
        writer.flush();
      }
    }
  }

  private Session open(Output output, Progress progress) {
    Session opened =
        new Session(connector, output, this::answer, progress, Clock::systemDefaultZone);
    session = Optional.of(opened);
    return opened;
  }

  private Shell shell(Session opened) {
    return new Shell(
        opened,
        arguments.stopsAtErrors() ? ErrorMode.STOP : ErrorMode.CONTINUE,
        arguments.debugs(),
        new PrintWriter(err, true));
  }

  /** Runs the script, if there is one; returns the status if the shell must end after it. */
  private Optional<Integer> runScript(Shell shell, Output output) throws IOException {
    if (arguments.script().isEmpty()) {
      return Optional.empty();
    }
    Optional<Integer> status = runFile(shell, arguments.script().get(), output);
    return status.isEmpty() && arguments.stopsAtErrors() ? Optional.of(0) : status;
  }

  private Optional<Integer> runFile(Shell shell, Path script, Output output) throws IOException {
    if (!Files.isReadable(script)) {
      throw new IOException("The script " + script + " does not exist or cannot be read");
    }
    if (Files.isDirectory(script)) {
      throw new IOException("The script " + script + " is a folder");
    }
    try (BufferedReader reader = reader(Files.newInputStream(script))) {
      return run(shell, "The script " + script, reader, output);
    }
  }

  /** Returns a reader of UTF-8 text that fails on other bytes instead of replacing them. */
  private static BufferedReader reader(InputStream stream) {
    return new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8.newDecoder()));
  }

  private Optional<Integer> run(Shell shell, String source, BufferedReader reader, Output output)
      throws IOException {
    current =
        new EchoedLines(source, reader, output, arguments.json() ? Echo.SILENT : Echo.PRINTED);
    return shell.run(current);
  }

  private Optional<String> answer() {
    try {
      return current.next("");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    if (session.isPresent()) {
      session.get().close();
    }
  }
}
