package dev.cairn.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.shell.run.Session;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jline.terminal.Size;
import org.jline.terminal.impl.LineDisciplineTerminal;

/** A shell at a pseudo-terminal. A test types, and reads the output. */
final class TypedShell implements AutoCloseable {
  static final String CTRL_C = "\003";
  static final String CTRL_D = "\004";
  private static final String TAB = "\t";
  static final String UP = "\033[A";

  private static final int COLUMNS = 400;
  private static final int LINES = 24;
  private static final int PATIENCE_SECONDS = 120;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
  private final CompletableFuture<Integer> status = new CompletableFuture<>();
  private final LineDisciplineTerminal terminal;
  private final ShellProgram program;
  private final Thread thread;
  private int seen;

  /**
   * Starts a shell.
   *
   * @param history the file of its history
   */
  TypedShell(Session.Connector connector, Path history, String... arguments) throws IOException {
    terminal =
        new LineDisciplineTerminal("typed", "xterm-256color", screen, StandardCharsets.UTF_8);
    terminal.setSize(new Size(COLUMNS, LINES));
    PrintStream stream = new PrintStream(screen, true, StandardCharsets.UTF_8);
    program =
        new ShellProgram(
            ShellArguments.parse(List.of(arguments)),
            connector,
            new ByteArrayInputStream(new byte[0]),
            stream,
            stream);
    thread =
        new Thread(
            () -> {
              try {
                status.complete(
                    program.run(
                        new ShellProgram.Terminals(Optional.of(() -> terminal), true, history)));
              } catch (IOException | RuntimeException | Error e) {
                status.completeExceptionally(e);
              }
            },
            "shell");
    thread.start();
  }

  /** Types text; {@code \n} is the key Enter. */
  TypedShell type(String text) throws IOException {
    terminal.processInputBytes(text.replace('\n', '\r').getBytes(StandardCharsets.UTF_8));
    return this;
  }

  /** Waits until a text appears after the texts that earlier calls found. */
  TypedShell sees(String text) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (true) {
      String all = screen();
      int at = all.indexOf(text, seen);
      if (at >= 0) {
        seen = at + text.length();
        return this;
      }
      assertThat(System.nanoTime()).as("%s after %s", text, all.substring(seen)).isLessThan(end);
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /** Presses Tab until a text appears, because the server may answer only after the first time. */
  TypedShell completes(String text) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (screen().indexOf(text, seen) < 0) {
      assertThat(System.nanoTime())
          .as("%s after %s", text, screen().substring(seen))
          .isLessThan(end);
      type(TAB);
      long next = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
      while (screen().indexOf(text, seen) < 0 && System.nanoTime() < next) {
        LockSupport.parkNanos(LOOK_NANOS);
      }
    }
    return sees(text);
  }

  /** Returns the output, with the codes for cursor and colours. Lines end with {@code \n}. */
  String screen() {
    return screen.toString(StandardCharsets.UTF_8).replace("\r\n", "\n");
  }

  /** Waits for the end of the shell and returns its exit status. */
  int status() throws InterruptedException, ExecutionException, TimeoutException {
    return status.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    // Repeated, because a key that comes before the shell reads the line only ends part of it.
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (thread.isAlive()) {
      assertThat(System.nanoTime()).as("the shell ends").isLessThan(end);
      try {
        type(CTRL_C + CTRL_D);
      } catch (IllegalStateException e) {
        // The shell has closed the terminal already.
      }
      thread.join(100);
    }
    program.close();
  }
}
