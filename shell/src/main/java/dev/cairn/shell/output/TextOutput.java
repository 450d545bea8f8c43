package dev.cairn.shell.output;

import dev.cairn.shell.value.Value;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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
    };
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
    out.println(String.format(Locale.ROOT, "Took %.4f seconds", time.toNanos() / 1e9));
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
