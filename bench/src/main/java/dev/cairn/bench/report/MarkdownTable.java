package dev.cairn.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table in Markdown, padded so that it can be read as text, too. */
public final class MarkdownTable {
  private final List<List<String>> rows = new ArrayList<>();

  /** Creates a table without rows. */
  public MarkdownTable(List<String> headings) {
    rows.add(List.copyOf(headings));
  }

  /** Appends a row of as many cells as there are headings. */
  public void add(List<String> cells) {
    if (cells.size() != rows.get(0).size()) {
      throw new IllegalArgumentException(cells + " under the headings " + rows.get(0));
    }
    rows.add(List.copyOf(cells));
  }

  boolean isEmpty() {
    return rows.size() == 1;
  }

  @Override
  public String toString() {
    int columns = rows.get(0).size();
    int[] widths =
        IntStream.range(0, columns)
            .map(column -> rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0))
            .toArray();
    String rule =
        IntStream.range(0, columns)
            .mapToObj(column -> "-".repeat(Math.max(3, widths[column])))
            .collect(Collectors.joining(" | ", "| ", " |\n"));
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      List<String> row = rows.get(i);
      text.append(
          IntStream.range(0, columns)
              .mapToObj(
                  column ->
                      row.get(column)
                          + " ".repeat(Math.max(3, widths[column]) - row.get(column).length()))
              .collect(Collectors.joining(" | ", "| ", " |\n")));
      text.append(i == 0 ? rule : "");
    }
    return text.toString();
  }
}
