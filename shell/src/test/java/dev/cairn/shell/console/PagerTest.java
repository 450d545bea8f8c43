package dev.cairn.shell.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jline.terminal.Size;
import org.jline.terminal.impl.LineDisciplineTerminal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Long output stops after each screen, and the pressed key decides what follows. */
class PagerTest {
  private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
  private final AtomicLong seconds = new AtomicLong();
  private int cancelled;
  private long ran;

  @AfterEach
  void clearInterruption() {
    Thread.interrupted();
  }

  private String printed(String keys, int lines) throws IOException {
    try (LineDisciplineTerminal terminal =
        new LineDisciplineTerminal("test", "xterm", screen, StandardCharsets.UTF_8)) {
      terminal.setSize(new Size(80, 5));
      terminal.processInputBytes(keys.getBytes(StandardCharsets.UTF_8));
      Pager paged =
          new Pager(
              terminal,
              () -> cancelled++,
              () ->
                  TimeUnit.SECONDS.toNanos(seconds.incrementAndGet())); // each look takes a second
      PrintWriter pager = new PrintWriter(paged);
      for (int i = 1; i <= lines; i++) {
        pager.println("line " + i);
      }
      pager.flush();
      ran = paged.runningNanos();
    }
    return screen.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aScreenOfLinesNeedsNoKey() throws IOException {
    assertThat(printed("", 3)).contains("line 3").doesNotContain("-- more");
  }

  @Test
  void allPrintsTheRest() throws IOException {
    assertThat(printed("a", 100)).contains("line 100").containsOnlyOnce("-- more");
  }

  @Test
  void theCommandsTimeExcludesTheWaitForAKey() throws IOException {
    printed("a", 100);
    assertThat(seconds.get()).isEqualTo(3);
    assertThat(ran).isEqualTo(TimeUnit.SECONDS.toNanos(2));
  }

  @Test
  void quittingCancelsTheCommandAndPrintsNoMore() throws IOException {
    assertThat(printed("q", 100)).contains("line 4").doesNotContain("line 5");
    assertThat(cancelled).isEqualTo(1);
  }

  @Test
  void aSignalAtTheQuestionCancelsLikeQuitting() throws IOException {
    Thread.currentThread().interrupt(); // as the handler of Ctrl-C does

    assertThat(printed("", 100)).contains("line 4").doesNotContain("line 5").endsWith("\r");
    assertThat(cancelled).isEqualTo(1);
  }
}
