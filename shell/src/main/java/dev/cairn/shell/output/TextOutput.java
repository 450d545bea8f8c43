package dev.cairn.shell.output;

import dev.cairn.shell.output.Output.Rows;
import dev.cairn.shell.value.Value;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Prints as HBase's shell does: tables with a blank before each row, and timing lines. */
public final class TextOutput implements Output {
  private final PrintWriter out;
  private final int width;

  /**
   * Creates an output.
   *
   * @param out receives the text
   * @param width the terminal's width in columns, to which tables are padded and wrapped; 0 without
   *     a terminal: columns are then not padded
   */
  public TextOutput(PrintWriter out, int width) {
    this.out = out;
    this.width = width;
  }

  @Override
  public void line(String text) {
    out.println(text);
  }

  @Override
  public void heading(String text) {
    line(text);
  }

  @Override
  public void letters(String text) {
    out.print(text);
  }

  @Override
  public Rows table(List<String> head) {
    TableLayout layout = new TableLayout(width, head.size());
    if (!head.isEmpty()) {
      layout.printHead(out, head);
    }
    return new Rows() {
      @Override
      public void add(List<String> columns) {
        layout.printRow(out, columns);
      }

      @Override
      public void add(List<String> columns, Map<String, Object> fields) {
        add(columns);
      }

      @Override
      public void name(String name) {
        layout.printName(out, name);
      }

      @Override
      public void names(List<String> names, Map<String, Object> fields) {
        names.forEach(this::name);
      }
    };
  }

  @Override
  public void aligned(List<String> head, List<Integer> spares, List<List<Object>> rows) {
    List<List<String>> cells =
        rows.stream()
            .map(row -> row.stream().map(cell -> Objects.toString(cell, "")).toList())
            .toList();
    new AlignedTable(head, spares, cells).lines().forEach(out::println);
  }

  @Override
  public void report(List<String> lines, Map<String, Object> fields) {
    lines.forEach(out::println);
  }

  @Override
  public void footer(long rows) {
    out.println(rows + " row(s)");
  }

  @Override
  public void answer(Value value) {
    out.println(value.text().letters());
  }

  @Override
  public void took(Duration time) {
    // Without a Formatter, like the prompt: it would load locale data.
    out.println(
        "Took "
            + BigDecimal.valueOf(time.toNanos(), 9).setScale(4, RoundingMode.HALF_UP)
            + " seconds");
  }

  @Override
  public void result(Value value) {
    if (!value.equals(Value.NIL)) {
      out.println("=> " + value.inspected());
    }
  }

  @Override
  public void error(String message, String usage) {
    out.println();
    out.println("ERROR: " + message);
    out.println();
    if (!usage.isEmpty()) {
      out.println(usage);
      out.println();
    }
  }

  @Override
  public void flush() {
    out.flush();
  }
}
