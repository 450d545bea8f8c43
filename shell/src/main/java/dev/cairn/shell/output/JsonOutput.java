package dev.cairn.shell.output;

import dev.cairn.shell.output.Output.Rows;
import dev.cairn.shell.value.Value;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Prints JSON, one object per line: rows of tables with their columns as fields, other results as
 * {@code result}, sentences as {@code message}, and errors as {@code error}.
 */
public final class JsonOutput implements Output {
  private final PrintWriter out;

  /** Creates an output that prints to {@code out}. */
  public JsonOutput(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void line(String text) {
    if (!text.isBlank()) {
      print(Map.of("message", text));
    }
  }

  @Override
  public void heading(String text) {
    // Each row has it.
  }

  @Override
  public void letters(String text) {
    line(text);
  }

  @Override
  public Rows table(List<String> head) {
    return new Rows() {
      @Override
      public void add(List<String> columns) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < columns.size(); i++) {
          fields.put(i < head.size() ? key(head.get(i)) : "column" + (i + 1), columns.get(i));
        }
        print(fields);
      }

      @Override
      public void add(List<String> columns, Map<String, Object> fields) {
        print(fields);
      }

      @Override
      public void name(String name) {
        add(List.of(name));
      }

      @Override
      public void names(List<String> names, Map<String, Object> fields) {
        print(fields);
      }
    };
  }

  @Override
  public void aligned(List<String> head, List<Integer> spares, List<List<Object>> rows) {
    for (List<Object> row : rows) {
      Map<String, Object> fields = new LinkedHashMap<>();
      for (int i = 0; i < row.size(); i++) {
        fields.put(key(head.get(i)), row.get(i));
      }
      print(fields);
    }
  }

  @Override
  public void report(List<String> lines, Map<String, Object> fields) {
    print(fields);
  }

  private static String key(String head) {
    return head.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_").replaceAll("^_|_$", "");
  }

  @Override
  public void footer(long rows) {
    // The rows are printed already, one per line.
  }

  @Override
  public void answer(Value value) {
    print(Map.of("answer", Json.plain(value)));
  }

  @Override
  public void took(Duration time) {
    // Times differ from run to run; programs measure them themselves.
  }

  @Override
  public void result(Value value) {
    if (!value.equals(Value.NIL)) {
      print(Map.of("result", Json.plain(value)));
    }
  }

  @Override
  public void error(String message, String usage) {
    print(Map.of("error", message));
  }

  private void print(Map<String, Object> fields) {
    out.println(Json.of(fields));
  }

  @Override
  public void flush() {
    out.flush();
  }
}
