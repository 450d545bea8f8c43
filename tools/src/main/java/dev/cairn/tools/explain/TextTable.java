package dev.cairn.tools.explain;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** A table whose columns are as wide as their widest text; the last one is not padded. */
final class TextTable {
  private final List<List<String>> lines = new ArrayList<>();

  void add(String... texts) {
    lines.add(List.of(texts));
  }

  void print(String indent, PrintWriter out) {
    int columns = lines.stream().mapToInt(List::size).max().orElse(0);
    int[] widths = new int[columns];
    for (List<String> line : lines) {
      for (int i = 0; i < line.size() - 1; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    for (List<String> line : lines) {
      StringBuilder text = new StringBuilder(indent);
      for (int i = 0; i < line.size(); i++) {
        text.append(line.get(i));
        if (i < line.size() - 1) {
          text.append(" ".repeat(widths[i] - line.get(i).length() + 2));
        }
      }
      out.println(text.toString().stripTrailing());
    }
  }
}
