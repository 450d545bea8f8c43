package dev.cairn.shell.console;

import dev.cairn.shell.run.CommandTable;
import dev.cairn.shell.run.Session;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jline.keymap.KeyMap;
import org.jline.reader.Binding;
import org.jline.reader.EndOfFileException;
import org.jline.reader.History;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.Reference;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.TerminalBuilder;

/** The terminal of a person. Used by the thread that runs the shell. */
public final class Console implements Closeable {
  private static final int HISTORY = 10_000;
  private static final int DEFAULT_WIDTH = 80;

  /** The key codes of terminals that ignore the mode requested by the reader. */
  private static final Map<String, String> ARROWS =
      Map.of(
          "\033[A", LineReader.UP_LINE_OR_SEARCH,
          "\033[B", LineReader.DOWN_LINE_OR_SEARCH,
          "\033[C", LineReader.FORWARD_CHAR,
          "\033[D", LineReader.BACKWARD_CHAR,
          "\033[H", LineReader.BEGINNING_OF_LINE,
          "\033[F", LineReader.END_OF_LINE);

  private final Terminal terminal;
  private final Pager pager;
  private final TimelyWriter screen;
  private Optional<LineReader> reader = Optional.empty();

  /** The lines of the current statement before the one that is typed. */
  private String begun = "";

  /** The paging of long output: a stop after each screen, or none. */
  public enum Paging {
    BY_SCREENS,
    NONE
  }

  /** The kinds of input. */
  public enum Input {
    LINE,
    /** Ctrl-C discards the current input. */
    CANCELLED,
    /** Ctrl-D. */
    END
  }

  /**
   * A line that a person typed.
   *
   * @param input what happened
   * @param text the line; empty if there is none
   */
  public record Typed(Input input, String text) {}

  /**
   * Creates a console on a terminal. Closing the console closes the terminal.
   *
   * @param paging whether long output stops after each screen
   * @param cancel cancels the running command; called by any thread
   */
  public Console(Terminal terminal, Paging paging, Runnable cancel) {
    this.terminal = terminal;
    this.pager = new Pager(terminal, cancel, System::nanoTime);
    this.screen = new TimelyWriter(paging == Paging.BY_SCREENS ? pager : terminal.writer());
    terminal.handle(Signal.INT, signal -> cancel.run());
  }

  /** Opens a terminal. */
  @FunctionalInterface
  public interface Opener {
    /**
     * Returns a new terminal.
     *
     * @throws IOException if there is none
     */
    Terminal open() throws IOException;
  }

  /**
   * Opens the process's terminal.
   *
   * @throws IOException if it has none
   */
  public static Terminal systemTerminal() throws IOException {
    return TerminalBuilder.builder().system(true).dumb(true).build();
  }

  /**
   * Opens a pseudo-terminal, if the operating system has them. It uses the same classes as the
   * process's terminal.
   *
   * @param in provides the typed characters
   * @param out receives the characters for the screen
   */
  public static Terminal virtualTerminal(InputStream in, OutputStream out) throws IOException {
    return TerminalBuilder.builder().system(false).streams(in, out).type("xterm-256color").build();
  }

  /** Returns the terminal's width in columns. */
  public int width() {
    return terminal.getWidth() > 0 ? terminal.getWidth() : DEFAULT_WIDTH;
  }

  /** Returns the output of commands, which stops after each screen if paging is on. */
  public Writer writer() {
    return screen;
  }

  /** Returns the output to the terminal without paging. */
  public PrintWriter terminal() {
    return terminal.writer();
  }

  /** Returns the time of a clock that stops while the pager waits for a key. */
  public long runningNanos() {
    return pager.runningNanos();
  }

  /**
   * Sets up history, completion and colours. Call before reading the first line.
   *
   * @param prompted runs before a prompt appears
   */
  public void prepare(CommandTable commands, Session session, Path history, Runnable prompted) {
    LineReader made =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .appName("cairn")
            .parser(new ConsoleParser())
            .completer(new CommandCompleter(commands, new SchemaNames(session), () -> begun))
            .highlighter(new StatementHighlighter(commands))
            .variable(LineReader.HISTORY_FILE, history)
            .variable(LineReader.HISTORY_SIZE, HISTORY)
            .variable(LineReader.HISTORY_FILE_SIZE, HISTORY)
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .option(LineReader.Option.HISTORY_IGNORE_SPACE, true)
            .option(LineReader.Option.COMPLETE_MATCHER_TYPO, false)
            .build();
    KeyMap<Binding> keys = made.getKeyMaps().get(LineReader.MAIN);
    made.getWidgets()
        .put(
            LineReader.CALLBACK_INIT,
            () -> {
              prompted.run();
              return true;
            });
    ARROWS.forEach((sequence, widget) -> keys.bind(new Reference(widget), sequence));
    reader = Optional.of(made);
  }

  /**
   * Reads a line. Call {@link #prepare} first.
   *
   * @param statement the earlier lines of its statement, for completion
   */
  public Typed next(String prompt, String statement) {
    begun = statement;
    terminal.flush();
    pager.reset();
    try {
      return new Typed(Input.LINE, reader.orElseThrow().readLine(prompt));
    } catch (UserInterruptException e) {
      return new Typed(Input.CANCELLED, "");
    } catch (EndOfFileException e) {
      return new Typed(Input.END, "");
    }
  }

  @Override
  public void close() throws IOException {
    try (Terminal closed = terminal;
        TimelyWriter flushed = screen) {
      if (reader.isPresent()) {
        save(reader.get().getHistory());
      }
    }
  }

  /** Saves the history. An error must not hide the exit status of the shell. */
  private void save(History history) {
    try {
      history.save();
    } catch (IOException e) {
      terminal.writer().println("The history cannot be saved: " + e);
    }
  }
}
