package dev.cairn.shell.output;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A table of right-aligned columns, each as wide as its widest cell, with a line below the titles.
 *
 * @param head the titles
 * @param spares the minimum padding of each title
 * @param rows each has as many cells as {@code head}
 */
record AlignedTable(List<String> head, List<Integer> spares, List<List<String>> rows) {
  /** Returns the lines of the table, and a last line with the number of its rows. */
  List<String> lines() {
    int[] widths = widths();
    List<String> lines = new ArrayList<>();
    lines.add(line(head, widths));
    lines.add(line(Arrays.stream(widths).mapToObj("-"::repeat).toList(), widths));
    rows.forEach(row -> lines.add(line(row, widths)));
    lines.add(" " + rows.size() + " rows");
    return lines;
  }

  private int[] widths() {
    int[] widths = new int[head.size()];
    Arrays.setAll(
        widths,
        i ->
            Math.max(
                head.get(i).length() + spares.get(i),
                rows.stream().mapToInt(row -> row.get(i).length()).max().orElse(0)));
    return widths;
  }

  private static String line(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      line.append(' ')
          .append(" ".repeat(widths[i] - cells.get(i).length()))
          .append(cells.get(i))
          .append(" |");
    }
    return line.toString();
  }
}
