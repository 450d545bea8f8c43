package dev.cairn.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A run as text, in Markdown: how it was taken, an overview of ratios, and each workload with all
 * its figures. Spreads are the median and, in brackets, the lowest and the highest of all rounds.
 */
public final class Tables {
  private static final String NOTHING = "";

  private final Run run;
  private final String subject;
  private final List<String> others;

  /**
   * Prepares the tables.
   *
   * @param subject the side that the others are held against
   * @throws IllegalArgumentException if the run has no such side
   */
  public Tables(Run run, String subject) {
    if (!run.sides().contains(subject)) {
      throw new IllegalArgumentException(
          "The results have the sides " + run.sides() + "; none is '" + subject + "'");
    }
    this.run = run;
    this.subject = subject;
    this.others = run.sides().stream().filter(side -> !side.equals(subject)).toList();
  }

  /** Returns all of it. */
  public String all() {
    StringBuilder text = new StringBuilder(heading());
    for (String other : others) {
      text.append("\n## ").append(subject).append(" / ").append(other).append("\n\n");
      text.append(overview(other));
    }
    for (String workload : run.workloads()) {
      text.append("\n## ").append(workload).append("\n\n").append(workload(workload));
    }
    return text.toString();
  }

  private String heading() {
    StringBuilder text = new StringBuilder("# ").append(run.title()).append("\n\n");
    text.append("- ").append(run.started()).append(", ").append(run.machine()).append('\n');
    if (!run.commit().isEmpty()) {
      text.append("- commit ").append(run.commit()).append('\n');
    }
    run.options()
        .forEach(
            (name, value) ->
                text.append("- ").append(name).append(": ").append(value).append('\n'));
    return text.toString();
  }

  /** Returns all ratios of the subject to {@code other}: a row per workload. */
  public String overview(String other) {
    return ratios(
        other,
        run.metrics().stream().filter(metric -> metric.better() != Metric.Better.NEITHER).toList(),
        List.of(50.0, 99.0, 99.9));
  }

  /** Returns the most important ratios of the subject to {@code other}: a row per workload. */
  String summary(String other) {
    List<Metric> metrics = List.of(Metric.THROUGHPUT, Metric.SERVER_CPU, Metric.ALLOCATED);
    return ratios(other, metrics, List.of(99.0));
  }

  private String ratios(String other, List<Metric> metrics, List<Double> percents) {
    List<Quantity> columns = new ArrayList<>(metrics.stream().map(Quantity::figure).toList());
    columns.removeIf(
        column ->
            run.workloads().stream()
                .allMatch(workload -> column.ratio(run, workload, subject, other).isEmpty()));
    List<String> headings = new ArrayList<>();
    headings.add(NOTHING);
    columns.forEach(column -> headings.add(withoutUnit(column)));
    percents.forEach(percent -> headings.add(withoutUnit(Quantity.percentile("", percent))));
    MarkdownTable table = new MarkdownTable(headings);
    for (String workload : run.workloads()) {
      List<String> cells = new ArrayList<>();
      cells.add(workload);
      for (Quantity column : columns) {
        cells.add(text(column.ratio(run, workload, subject, other)));
      }
      String operation = mainOperation(workload);
      for (double percent : percents) {
        cells.add(
            text(Quantity.percentile(operation, percent).ratio(run, workload, subject, other)));
      }
      if (cells.stream().skip(1).anyMatch(cell -> !cell.isEmpty())) {
        table.add(cells);
      }
    }
    return table.isEmpty() ? "No workload was measured on both.\n" : table.toString();
  }

  private static String withoutUnit(Quantity quantity) {
    return quantity.heading().replaceAll(" \\(.*\\)$", "");
  }

  /** Returns the most frequent kind of operation of a workload. */
  private String mainOperation(String workload) {
    return run.measurements().stream()
        .filter(one -> one.workload().equals(workload))
        .flatMap(one -> one.latencies().stream())
        .reduce((a, b) -> b.count() > a.count() ? b : a)
        .map(Latencies::operation)
        .orElse("");
  }

  /** Returns all figures of a workload: a column per side, and one per ratio. */
  public String workload(String workload) {
    List<String> sides = new ArrayList<>();
    sides.add(subject);
    sides.addAll(others);
    sides.removeIf(side -> run.rounds(workload, side).isEmpty());
    List<String> against =
        sides.contains(subject) ? sides.stream().filter(others::contains).toList() : List.of();
    List<String> headings = new ArrayList<>();
    headings.add(NOTHING);
    headings.addAll(sides);
    against.forEach(other -> headings.add(subject + " / " + other));
    MarkdownTable table = new MarkdownTable(headings);
    for (Quantity quantity : Quantity.all(run, workload)) {
      List<String> cells = new ArrayList<>();
      cells.add(quantity.heading());
      sides.forEach(side -> cells.add(text(quantity.on(run, workload, side))));
      against.forEach(other -> cells.add(text(quantity.ratio(run, workload, subject, other))));
      table.add(cells);
    }
    return table.toString();
  }

  private static String text(Optional<Spread> spread) {
    return spread.map(Spread::toString).orElse(NOTHING);
  }
}
