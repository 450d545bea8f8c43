package dev.cairn.shell.output;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Pads and wraps the columns of a table to a terminal's width. */
final class TableLayout {
  /** The first of two columns takes this part of the width at most: names are short, cells long. */
  private static final int FIRST_PART = 4;

  private final int width;
  private final int columns;

  /**
   * Creates a layout.
   *
   * @param width the terminal's width; 0 for columns that are neither padded nor wrapped
   * @param columns the number of columns; at least 0
   */
  TableLayout(int width, int columns) {
    this.width = width;
    this.columns = columns;
  }

  /** Prints a row after {@code indent}. */
  void print(PrintWriter out, List<String> cells, String indent) {
    if (width == 0 || cells.size() != columns || columns < 2) {
      String gap = indent.isEmpty() ? "  " : " ";
      out.println(indent + String.join(gap, cells));
      return;
    }
    List<List<String>> wrapped = new ArrayList<>();
    int lines = 1;
    for (int i = 0; i < columns; i++) {
      List<String> parts = wrap(indent + cells.get(i), widthOf(i) - 1);
      wrapped.add(parts);
      lines = Math.max(lines, parts.size());
    }
    for (int line = 0; line < lines; line++) {
      out.println(lineOf(wrapped, line));
    }
  }

  private String lineOf(List<List<String>> wrapped, int line) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < columns; i++) {
      List<String> parts = wrapped.get(i);
      String part = line < parts.size() ? parts.get(line) : "";
      text.append(part);
      if (i < columns - 1) {
        text.append(" ".repeat(Math.max(0, widthOf(i) - part.length())));
      }
    }
    return text.toString().stripTrailing();
  }

  private int widthOf(int column) {
    if (columns == 2) {
      int first = Math.max(8, width / FIRST_PART);
      return column == 0 ? first : Math.max(8, width - first);
    }
    return Math.max(8, width / columns);
  }

  private static List<String> wrap(String text, int width) {
    List<String> parts = new ArrayList<>();
    for (int at = 0; at < text.length(); at += width) {
      parts.add(text.substring(at, Math.min(text.length(), at + width)));
    }
    return parts.isEmpty() ? List.of("") : parts;
  }
}
