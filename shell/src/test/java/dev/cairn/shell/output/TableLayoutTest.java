package dev.cairn.shell.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tables are padded and wrapped as HBase's shell does on a terminal of 80 columns. */
class TableLayoutTest {
  private final StringWriter text = new StringWriter();
  private final PrintWriter out = new PrintWriter(text);

  @Test
  void theFirstOfTwoColumnsTakesAQuarterOfTheTerminal() {
    TableLayout layout = new TableLayout(80, 2);
    layout.printHead(out, List.of("ROW", "COLUMN+CELL"));
    layout.printRow(
        out,
        List.of(
            "averyveryveryveryveryveryveryverylongrowkey",
            "column=f:q, timestamp=2026-11-23T02:34:10.678, value=valuevaluevalue"));

    assertThat(text.toString().lines())
        .containsExactly(
            "ROW                   COLUMN+CELL",
            " averyveryveryveryver column=f:q, timestamp=2026-11-23T02:34:10.678, value=value",
            " yveryveryverylongrow valuevalue",
            " key");
  }

  @Test
  void withoutATerminalNothingIsPadded() {
    TableLayout layout = new TableLayout(0, 2);
    layout.printHead(out, List.of("ROW", "COLUMN+CELL"));
    layout.printRow(out, List.of("r", "column=f:q"));
    layout.printName(out, "name");

    assertThat(text.toString().lines())
        .containsExactly("ROW  COLUMN+CELL", " r column=f:q", "name");
  }

  @Test
  void namesAreWrappedAtTheTerminalsEdge() {
    new TableLayout(10, 1).printName(out, "abcdefghijklm");

    assertThat(text.toString().lines()).containsExactly("abcdefghij", "klm");
  }
}
