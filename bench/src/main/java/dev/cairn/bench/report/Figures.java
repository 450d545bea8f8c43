package dev.cairn.bench.report;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The answer to one question, from any tool: a table of figures with their goals.
 *
 * @param question the heading
 * @param date when they were measured
 * @param commit of the sources that were measured, or that recorded the figures
 * @param machine where they were measured
 * @param conditions the conditions that the commands do not state
 * @param commands repeat the measurement; empty if another table has them
 * @param columns what the figures mean, in the order to show
 * @param rows in the order to show
 */
record Figures(
    String question,
    LocalDate date,
    String commit,
    String machine,
    String conditions,
    List<String> commands,
    List<Metric> columns,
    List<Row> rows) {

  /**
   * The figures of one case.
   *
   * @param figures by the names of columns; an absent figure was not measured
   */
  record Row(String name, Map<String, Figure> figures) {}

  /**
   * One cell. Each number has as many digits as the page shows.
   *
   * @param value the median; null if only {@code from} and {@code to} are known
   * @param from the lowest; null if there was one measurement
   * @param to the highest; null if there was one measurement
   * @param wanted the worst value that reaches the goal; null if there is no goal
   */
  record Figure(BigDecimal value, BigDecimal from, BigDecimal to, BigDecimal wanted) {
    private String text(Metric.Better better) {
      String range = from == null ? "" : digits(from) + " to " + digits(to);
      if (value == null) {
        return range;
      }
      boolean missed =
          wanted != null && value.compareTo(wanted) * (better == Metric.Better.MORE ? -1 : 1) > 0;
      String median = missed ? "**" + digits(value) + "**" : digits(value);
      return from == null ? median : median + " (" + range + ")";
    }

    private String goal() {
      return wanted == null ? "" : digits(wanted);
    }
  }

  /** Checks that every figure belongs to a column. */
  Figures {
    List<String> names = columns.stream().map(Metric::name).toList();
    for (Row row : rows) {
      if (!names.containsAll(row.figures().keySet())) {
        throw new IllegalArgumentException(
            "%s of '%s', but the columns are %s"
                .formatted(row.figures().keySet(), row.name(), names));
      }
    }
  }

  /** Returns the heading, the table with missed goals in bold, and the conditions. */
  String markdown() {
    List<String> headings = new ArrayList<>(List.of(""));
    for (Metric column : columns) {
      headings.add(column.heading());
      if (hasGoals(column)) {
        headings.add("wanted");
      }
    }
    MarkdownTable table = new MarkdownTable(headings);
    for (Row row : rows) {
      List<String> cells = new ArrayList<>(List.of(row.name()));
      for (Metric column : columns) {
        Optional<Figure> figure = Optional.ofNullable(row.figures().get(column.name()));
        cells.add(figure.map(one -> one.text(column.better())).orElse(""));
        if (hasGoals(column)) {
          cells.add(figure.map(Figure::goal).orElse(""));
        }
      }
      table.add(cells);
    }
    String repeat =
        commands.isEmpty() ? ".\n" : ":\n\n    " + String.join("\n    ", commands) + "\n";
    return "## %s\n\n%s\n%s %s, commit %s, %s%s"
        .formatted(question, table, conditions, date, commit, machine, repeat);
  }

  private boolean hasGoals(Metric column) {
    return rows.stream()
        .map(row -> row.figures().get(column.name()))
        .anyMatch(figure -> figure != null && figure.wanted() != null);
  }

  private static String digits(BigDecimal number) {
    return String.format(Locale.ROOT, "%,." + Math.max(0, number.scale()) + "f", number);
  }
}
