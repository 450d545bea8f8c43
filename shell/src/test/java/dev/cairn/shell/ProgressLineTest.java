package dev.cairn.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The line with the rate of a long command, and its output on the same terminal. */
class ProgressLineTest {
  private static final String CLEARED = "\r\033[K";

  private final StringWriter screen = new StringWriter();
  private final PrintWriter terminal = new PrintWriter(screen);
  private long seconds;
  private final ProgressLine line =
      new ProgressLine(terminal, terminal, () -> TimeUnit.SECONDS.toNanos(seconds));

  /** Reports rows; each takes a second. */
  private void rows(long first, long last) {
    for (long row = first; row <= last; row++) {
      line.rows(row);
      seconds++;
    }
  }

  @Test
  void theRateIsThatOfTheRowsSoFar() {
    rows(1, 256);
    assertThat(screen).hasToString("\r256 rows, 1 rows/s\033[K");
  }

  @Test
  void outputReplacesTheLine() {
    rows(1, 256);
    screen.getBuffer().setLength(0);
    line.output().println("row 256");
    line.end();

    assertThat(screen).hasToString(CLEARED + "row 256\n");
  }

  @Test
  void theLineDoesNotInterruptALineOfOutput() {
    line.output().print("a part ");
    rows(1, 256);
    line.output().println("of a row");

    assertThat(screen).hasToString("a part of a row\n");
  }

  @Test
  void theEndOfTheCommandClearsTheLine() {
    rows(1, 256);
    screen.getBuffer().setLength(0);
    line.end();
    line.end();

    assertThat(screen).hasToString(CLEARED);
  }

  @Test
  void aShortCommandShowsNoLine() {
    rows(1, 255);
    line.end();

    assertThat(screen.toString()).isEmpty();
  }
}
