package dev.cairn.interop.sidebyside;

import dev.cairn.torture.model.Text;
import dev.cairn.torture.model.Version;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a step comes to, one line per row, part or failure; equal if every cell is, with row,
 * column, time, type, value and visible tags.
 */
record Answer(List<String> lines) {
  /** Nothing is said. */
  static final Answer DONE = new Answer(List.of("done"));

  /** Keeps the list from being changed. */
  Answer {
    lines = List.copyOf(lines);
  }

  /** Returns an answer of one line. */
  static Answer of(String line) {
    return new Answer(List.of(line));
  }

  /** Returns the line for a row, or a part of it. */
  static String line(String row, List<Version> cells) {
    return cells.stream()
        .map(Answer::show)
        .collect(Collectors.joining(", ", Text.show(row) + ": ", ""));
  }

  /**
   * Returns the line for what changes of a row returned. HBase does not sort the cells of several
   * changes, and shows the tags of some of them; neither is compared.
   */
  static String resultLine(String row, List<Version> cells) {
    List<Version> sorted = new ArrayList<>();
    for (Version cell : cells) {
      sorted.add(
          Version.of(
              cell.family(),
              cell.qualifier(),
              cell.timestamp(),
              cell.type(),
              cell.value(),
              List.of()));
    }
    sorted.sort(
        Comparator.comparing(Version::family)
            .thenComparing(Version::qualifier)
            .thenComparing(Version::value));
    return line(row, sorted);
  }

  /** Returns the line for something that failed. */
  static String failure(String exception) {
    return "failed: " + exception;
  }

  /** Returns a cell with all that clients see of it. */
  private static String show(Version cell) {
    return "%s:%s/%d/%s=%s%s"
        .formatted(
            Text.show(cell.family()),
            Text.show(cell.qualifier()),
            cell.timestamp(),
            cell.type(),
            Text.show(cell.value()) + "/" + cell.value().hashCode(),
            cell.tags().isEmpty() ? "" : cell.tags());
  }

  @Override
  public String toString() {
    return String.join("\n    ", lines);
  }
}
