package dev.cairn.bench.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Shape;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.FieldPosition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.util.ShapeUtils;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/**
 * A run as SVG files: for each workload and kind of operation the percentiles of latency, and for
 * each workload the throughput over time with flushes and compactions marked; all sides in each.
 */
public final class Plots {
  private static final float LINE_WIDTH = 2;
  private static final float MARK_SIZE = 5;

  private final Run run;

  /** Prepares the plots of {@code run}. */
  public Plots(Run run) {
    this.run = run;
  }

  /**
   * Writes the plots into {@code folder}, which is made if need be.
   *
   * @return the files
   */
  public List<Path> write(Path folder) throws IOException {
    Files.createDirectories(folder);
    List<Path> files = new ArrayList<>();
    for (String workload : run.workloads()) {
      for (String operation : operations(workload)) {
        Path file = folder.resolve(fileName("latency", workload, operation));
        files.add(Files.writeString(file, Svg.of(latencies(workload, operation).chart)));
      }
      Chart throughput = throughput(workload);
      if (!throughput.isEmpty()) {
        Path file = folder.resolve(fileName("throughput", workload));
        files.add(Files.writeString(file, Svg.of(throughput.chart)));
      }
    }
    return files;
  }

  private static String fileName(String... parts) {
    return String.join("-", parts)
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9]+", "-")
            .replaceAll("-$", "")
        + ".svg";
  }

  private List<String> operations(String workload) {
    return run.measurements().stream()
        .filter(one -> one.workload().equals(workload))
        .flatMap(one -> one.latencies().stream())
        .map(Latencies::operation)
        .distinct()
        .toList();
  }

  /** Each step to the right is a tenth of the operations that are left; latency is logarithmic. */
  private Chart latencies(String workload, String operation) {
    NumberAxis nines = new NumberAxis("percentile of operations");
    nines.setStandardTickUnits(NumberAxis.createIntegerTickUnits());
    nines.setNumberFormatOverride(new Percentiles());
    LogAxis latency = new LogAxis("ms");
    latency.setNumberFormatOverride(new Digits());
    Chart chart = new Chart(workload + ": latency of " + operation, nines, latency);
    for (String side : run.sides()) {
      XYSeries line = new XYSeries(side);
      for (double percent : percents(workload, side, operation)) {
        Quantity.percentile(operation, percent)
            .on(run, workload, side)
            .ifPresent(spread -> line.add(2 - Math.log10(100 - percent), spread.median() / 1000));
      }
      if (!line.isEmpty()) {
        chart.addLine(line, color(side));
      }
    }
    return chart;
  }

  /** Returns the percentiles that every round can tell. */
  private List<Double> percents(String workload, String side, String operation) {
    return run.rounds(workload, side).stream()
        .flatMap(one -> one.latencies().stream())
        .filter(latencies -> latencies.operation().equals(operation))
        .map(
            latencies ->
                latencies.percentiles().stream().map(Latencies.Percentile::percent).toList())
        .min(Comparator.comparing(List::size))
        .orElse(List.of());
  }

  private Chart throughput(String workload) {
    NumberAxis throughput = new NumberAxis("operations per second");
    throughput.setNumberFormatOverride(new Digits());
    Chart chart =
        new Chart(workload + ": throughput over time", new NumberAxis("seconds"), throughput);
    for (String side : run.sides()) {
      run.rounds(workload, side).stream()
          .filter(one -> !one.timeline().isEmpty())
          .reduce((earlier, later) -> later)
          .ifPresent(one -> addTimeline(chart, one));
    }
    return chart;
  }

  private void addTimeline(Chart chart, Measurement measurement) {
    Color color = color(measurement.side());
    XYSeries line = new XYSeries(measurement.side());
    measurement.timeline().forEach(point -> line.add(point.seconds(), point.throughput()));
    chart.addLine(line, color);
    for (Mark.Kind kind : Mark.Kind.values()) {
      XYSeries marks =
          new XYSeries(measurement.side() + ", " + kind.name().toLowerCase(Locale.ROOT));
      measurement.marks().stream()
          .filter(mark -> mark.kind() == kind)
          .forEach(mark -> marks.add(mark.seconds(), at(measurement.timeline(), mark.seconds())));
      if (!marks.isEmpty()) {
        chart.addMarks(marks, color, shape(kind));
      }
    }
  }

  private static Shape shape(Mark.Kind kind) {
    return switch (kind) {
      case FLUSH -> ShapeUtils.createDownTriangle(MARK_SIZE);
      case COMPACTION -> ShapeUtils.createDiamond(MARK_SIZE);
    };
  }

  /** Returns the throughput of the interval with {@code seconds}. */
  private static double at(List<TimelinePoint> timeline, double seconds) {
    return timeline.stream()
        .filter(point -> point.seconds() >= seconds)
        .findFirst()
        .orElse(timeline.get(timeline.size() - 1))
        .throughput();
  }

  private Color color(String side) {
    return ChartStyle.color(run.sides().indexOf(side));
  }

  /** Lines and marks over two axes, with a legend below. */
  private static final class Chart {
    private final XYSeriesCollection series = new XYSeriesCollection();
    private final XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer();
    private final JFreeChart chart;

    Chart(String title, ValueAxis x, ValueAxis y) {
      XYPlot plot = new XYPlot(series, x, y, renderer);
      plot.setDomainGridlinePaint(Color.LIGHT_GRAY);
      plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
      chart = new JFreeChart(title, ChartStyle.TITLE, plot, true);
      ChartStyle.apply(chart, x, y);
    }

    boolean isEmpty() {
      return series.getSeriesCount() == 0;
    }

    void addLine(XYSeries line, Color color) {
      int index = add(line, color);
      renderer.setSeriesShapesVisible(index, false);
      renderer.setSeriesStroke(index, new BasicStroke(LINE_WIDTH));
    }

    void addMarks(XYSeries marks, Color color, Shape shape) {
      int index = add(marks, color);
      renderer.setSeriesLinesVisible(index, false);
      renderer.setSeriesShape(index, shape);
    }

    private int add(XYSeries one, Color color) {
      int index = series.getSeriesCount();
      series.addSeries(one);
      renderer.setSeriesPaint(index, color);
      return index;
    }
  }

  /** Returns the percentile of so many nines: 90 % for one, 99 % for two. */
  private static final class Percentiles extends Digits {
    @Override
    public StringBuffer format(double nines, StringBuffer out, FieldPosition position) {
      int digits = (int) Math.max(0, Math.ceil(nines) - 2);
      return out.append(
              BigDecimal.valueOf(100 - Math.pow(10, 2 - nines))
                  .setScale(digits, RoundingMode.HALF_UP)
                  .toPlainString())
          .append(" %");
    }
  }
}
