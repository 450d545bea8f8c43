package dev.cairn.bench.study;

import dev.cairn.bench.report.BarPlot;
import dev.cairn.bench.report.MarkdownTable;
import dev.cairn.bench.report.Spread;
import dev.cairn.studies.Design;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.Study;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The results of a study as a page in Markdown, with plots.
 *
 * @param figures of the designs that were measured
 */
record StudyPage(Study<?, ?> study, List<DesignFigures> figures, StudyOptions options) {
  private static final double PERCENT = 100;

  /** Copies the figures. */
  StudyPage {
    figures = List.copyOf(figures);
  }

  /** Returns the file name of the picture of a table's writes. */
  static String picture(Study<?, ?> study, String design, NewTable table) {
    return fileName(study.name(), design, table.descriptor().getTableName().getNameAsString())
        + ".png";
  }

  private static String fileName(String... parts) {
    return String.join("-", parts)
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^a-z0-9]+", "-")
        .replaceAll("-$", "");
  }

  /**
   * Writes the page and its plots.
   *
   * @param folder where the pictures are
   * @return the page
   */
  Path write(Path folder) throws IOException {
    writePlots(folder);
    return Files.writeString(folder.resolve(study.name() + ".md"), text());
  }

  private void writePlots(Path folder) throws IOException {
    BarPlot writes = new BarPlot(study.name() + ": facts stored per second", "facts/s", false);
    BarPlot reads = new BarPlot(study.name() + ": time of an answer, median", "ms", true);
    BarPlot bytes = new BarPlot(study.name() + ": bytes per fact", "bytes", false);
    for (DesignFigures one : figures) {
      writes.add("stored", one.design(), one.factsPerSecond());
      bytes.add("in store files", one.design(), one.bytesPerFact());
      one.answers().forEach(kind -> reads.add(kind.label(), one.design(), kind.medianMillis()));
    }
    Files.writeString(folder.resolve(study.name() + "-writes.svg"), writes.svg());
    Files.writeString(folder.resolve(study.name() + "-answers.svg"), reads.svg());
    Files.writeString(folder.resolve(study.name() + "-bytes.svg"), bytes.svg());
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    text.append("# ").append(study.name()).append("\n").append(study.subject()).append("\n\n");
    text.append("    ").append(command()).append("\n\n");
    MarkdownTable layouts = new MarkdownTable(List.of("design", "rows and cells"));
    figures.forEach(one -> layouts.add(List.of(one.design(), "`" + one.layout() + "`")));
    text.append(layouts).append('\n').append(table()).append('\n');
    text.append("Processor time of the region servers for an answer, µs:\n\n");
    text.append(answering()).append('\n');
    text.append("While facts were stored:\n\n").append(storing()).append('\n');
    for (String plot : List.of("writes", "answers", "bytes")) {
      text.append("![%s](%s-%s.svg)%n".formatted(plot, study.name(), plot));
    }
    Object storage = null;
    for (Design<?, ?> design : study.designs()) {
      boolean measured = figures.stream().anyMatch(one -> one.design().equals(design.name()));
      if (measured && !design.storage().equals(storage)) {
        storage = design.storage();
        for (NewTable table : design.tables(options.facts(study))) {
          text.append(
              "%n%s, writes of %s over time (right) and keys (down):%n%n![writes](%s)%n"
                  .formatted(
                      design.name(),
                      table.descriptor().getTableName(),
                      picture(study, design.name(), table)));
        }
      }
    }
    return text.toString();
  }

  /** Returns the command that repeats the measurement. */
  private String command() {
    StringBuilder command =
        new StringBuilder(
            "bin/cairn bench study %s --facts %d --servers %d --threads %d --asks %d --seconds %d"
                .formatted(
                    study.name(),
                    options.facts(study),
                    options.servers,
                    options.threads,
                    options.asks,
                    options.seconds));
    command.append(" --seed ").append(options.seed);
    for (String design : options.designs) {
      command.append(" --design \"").append(design).append('"');
    }
    return command.toString();
  }

  /** Returns the figures, a row for each design. */
  String table() {
    List<String> headings =
        new ArrayList<>(List.of("design", "facts/s", "server CPU, µs/fact", "bytes/fact"));
    boolean maintained =
        figures.stream().anyMatch(one -> one.maintainSeconds() >= DesignFigures.MAINTAINED_MIN);
    if (maintained) {
      headings.add("maintenance, s");
    }
    figures.get(0).answers().forEach(one -> headings.add(one.label() + ", ms (p99)"));
    figures.get(0).others().forEach(one -> headings.add(one.label()));
    MarkdownTable table = new MarkdownTable(headings);
    for (DesignFigures one : figures) {
      List<String> cells =
          new ArrayList<>(
              Stream.of(one.factsPerSecond(), one.writeMicros(), one.bytesPerFact())
                  .map(Spread::digits)
                  .toList());
      cells.add(0, one.design());
      if (maintained) {
        cells.add(
            one.maintainSeconds() < DesignFigures.MAINTAINED_MIN
                ? ""
                : Spread.digits(one.maintainSeconds()));
      }
      one.answers()
          .forEach(
              kind ->
                  cells.add(
                      Spread.digits(kind.medianMillis())
                          + " ("
                          + Spread.digits(kind.slowMillis())
                          + ")"));
      one.others().forEach(other -> cells.add(Spread.digits(other.value())));
      table.add(cells);
    }
    return table.toString();
  }

  /** Returns what answers cost the servers, which waits of a busy client do not change. */
  private String answering() {
    List<String> headings = new ArrayList<>(List.of("design"));
    figures.get(0).answers().forEach(kind -> headings.add(kind.label()));
    MarkdownTable table = new MarkdownTable(headings);
    for (DesignFigures one : figures) {
      List<String> cells = new ArrayList<>(List.of(one.design()));
      one.answers().forEach(kind -> cells.add(Spread.digits(kind.serverMicros())));
      table.add(cells);
    }
    return table.toString();
  }

  /** Returns where the processor time went while facts were stored, a row for each design. */
  private String storing() {
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "design",
                "facts/s",
                "client, cores",
                "region servers, cores",
                "busiest server",
                "its CPU, µs/fact",
                "regions by server"));
    for (DesignFigures one : figures) {
      DesignFigures.Storing storing = one.storing();
      table.add(
          List.of(
              one.design(),
              Spread.digits(one.factsPerSecond()),
              Spread.digits(storing.clientCores()),
              Spread.digits(storing.serverCores()),
              "%.0f %%".formatted(PERCENT * storing.busiest()),
              Spread.digits(storing.busiestMicros()),
              storing.regions().stream().map(String::valueOf).collect(Collectors.joining(" + "))));
    }
    return table.toString();
  }
}
