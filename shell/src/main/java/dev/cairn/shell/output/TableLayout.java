package dev.cairn.shell.output;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Pads and wraps the columns of a table to a terminal's width. */
final class TableLayout {
  private static final int NARROWEST = 8;

  /** The first of two columns takes a quarter of the width: names are short, cells are long. */
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

  /** Prints the titles of the columns. */
  void printHead(PrintWriter out, List<String> titles) {
    if (width == 0) {
      out.println(String.join("  ", titles));
    } else {
      print(out, titles, "");
    }
  }

  /** Prints a row of names, without the leading blank of rows of cells. */
  void printName(PrintWriter out, String name) {
    if (width == 0) {
      out.println(name);
    } else {
      wrapped(name, width).forEach(out::println);
    }
  }

  /** Prints a row. */
  void printRow(PrintWriter out, List<String> cells) {
    if (width == 0 || cells.size() != columns) {
      out.println(" " + String.join(" ", cells));
    } else {
      print(out, cells, " ");
    }
  }

  private void print(PrintWriter out, List<String> cells, String indent) {
    List<List<String>> parts = new ArrayList<>();
    int lines = 1;
    for (int i = 0; i < columns; i++) {
      parts.add(wrapped(cells.get(i), widthOf(i)));
      lines = Math.max(lines, parts.get(i).size());
    }
    for (int line = 0; line < lines; line++) {
      StringBuilder text = new StringBuilder(indent);
      int end = 0;
      for (int i = 0; i < columns; i++) {
        if (line < parts.get(i).size()) {
          text.append(parts.get(i).get(line));
        }
        end += widthOf(i) + 1;
        if (i < columns - 1) {
          text.append(" ".repeat(Math.max(0, end + 1 - text.length())));
        }
      }
      out.println(text.toString().stripTrailing());
    }
  }

  private int widthOf(int column) {
    if (columns == 1) {
      return width;
    }
    int first = Math.max(NARROWEST, width / FIRST_PART);
    return columns == 2
        ? column == 0 ? first : Math.max(NARROWEST, width - first - 2)
        : Math.max(NARROWEST, width / columns - 1);
  }

  private static List<String> wrapped(String text, int width) {
    List<String> parts = new ArrayList<>();
    for (int at = 0; at < text.length(); at += width) {
      parts.add(text.substring(at, Math.min(text.length(), at + width)));
    }
    return parts.isEmpty() ? List.of("") : parts;
  }
}
