package dev.cairn.tools.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.tools.top.ClusterTraffic.Count;
import dev.cairn.tools.top.ClusterTraffic.Row;
import dev.cairn.tools.top.ClusterTraffic.Sort;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.DumbTerminal;
import org.jline.terminal.impl.LineDisciplineTerminal;
import org.junit.jupiter.api.Test;

/** Traffic as text: sorted, within the terminal, also where it cannot move its cursor. */
class TopScreenTest {
  private static final ClusterTraffic TRAFFIC =
      new ClusterTraffic(
          1_700_000_000_000L,
          List.of(new Row("host:16020", "", 1_500, 20, 1_520, 2e6, 4e8, 0)),
          List.of(
              new Row("quiet", "", 1, 0, 1, 9e9, 1, 0), new Row("busy", "", 1_499, 20, 2, 3, 4, 5)),
          List.of(new Row("busy 0123", "host:16020 from m", 1_499, 20, 2, 3, 4, 5)),
          List.of(
              new Count("celebrity", "busy", "name=\"celebrity\"", 900, 12),
              new Count("", "quiet", "", 5, 0)),
          List.of(new Count("cel", "busy", "", 950, 20)),
          List.of(new Count("app@10.0.0.1", "host:16020", "", 1_500, 0)),
          List.of("other:16020 does not answer"));

  private static String shown(Terminal terminal, ByteArrayOutputStream out) throws IOException {
    try (terminal) {
      new TopScreen(terminal, () -> TRAFFIC, Duration.ofMillis(10), Sort.REQUESTS).run();
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void everySectionHasItsLines() {
    List<String> lines = TopText.lines(TRAFFIC, Sort.REQUESTS, 200, Integer.MAX_VALUE);
    assertThat(lines.get(0)).isEqualTo("! other:16020 does not answer");
    assertThat(lines)
        .anyMatch(line -> line.matches("host:16020 +1.5k +20.0 +1.5k +2.0M +400 +0"))
        .anyMatch(line -> line.matches("celebrity +900 +12.0  busy \\{name=\"celebrity\"}"))
        .anyMatch(line -> line.matches("\\(start of the table\\) +5.0 +0  quiet"))
        .anyMatch(line -> line.matches("app@10.0.0.1 +1.5k +0  host:16020"));
  }

  @Test
  void rowsAreSortedAsAsked() {
    assertThat(Sort.REQUESTS.sorted(TRAFFIC.tables())).extracting(Row::name).startsWith("busy");
    assertThat(Sort.BYTES.sorted(TRAFFIC.tables())).extracting(Row::name).startsWith("quiet");
  }

  @Test
  void linesFitTheScreen() {
    List<String> lines = TopText.lines(TRAFFIC, Sort.REQUESTS, 40, 10);
    assertThat(lines).hasSizeLessThanOrEqualTo(10).allMatch(line -> line.length() <= 40);
  }

  @Test
  void aDumbTerminalGetsPlainLinesAndKeysWork() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    String shown = shown(new DumbTerminal(new ByteArrayInputStream(new byte[] {'q'}), out), out);
    assertThat(shown).contains("busy", "celebrity", "sorted by requests").doesNotContain("\u001b[");
  }

  @Test
  void aTerminalIsPaintedAndRestored() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    LineDisciplineTerminal terminal =
        new LineDisciplineTerminal("test", "xterm", out, StandardCharsets.UTF_8);
    terminal.setSize(new Size(150, 40));
    terminal.processInputBytes("bq".getBytes(StandardCharsets.UTF_8));
    String shown = shown(terminal, out);
    assertThat(shown).contains("sorted by requests", "celebrity", "bytes");
    assertThat(shown).contains("\u001b[?1049h").contains("\u001b[?1049l");
  }
}
