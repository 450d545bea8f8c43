package dev.cairn.server.metrics;

import dev.cairn.server.metrics.Metric.Kind;
import dev.cairn.server.metrics.Metric.Unit;
import dev.cairn.server.metrics.MetricRecord.Sample;
import dev.cairn.server.metrics.MetricRecord.Value;
import dev.cairn.server.metrics.Scope.Label;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Renders all metrics with labels: server, namespace, table, region and method. Names begin with
 * {@code cairn_}, have base units, and end with {@code _total} if they only go up. The buckets of
 * histograms end at powers of two, so their counts are exact. Thread-safe.
 */
public final class PrometheusPage {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final double PERCENT = 100;
  private static final double BYTES_PER_MEGABYTE = 1 << 20;

  /** 16 microseconds, 32, … 69 seconds. */
  private static final Buckets TIMES = new Buckets(14, 36, 1);

  /** 64 bytes, 256, … 256 MB. */
  private static final Buckets SIZES = new Buckets(6, 28, 2);

  /** Powers of two from {@code first} to {@code last}. */
  private record Buckets(int first, int last, int step) {}

  private record Series(Sample sample, List<Label> labels) {}

  private final MetricRegistry registry;

  /** Creates the page. */
  public PrometheusPage(MetricRegistry registry) {
    this.registry = registry;
  }

  /**
   * Reads the metrics, and returns the page part by part; the parts are for one thread at a time.
   */
  public Iterator<String> parts() {
    Map<String, List<Series>> byName = new TreeMap<>();
    for (MetricRecord record : registry.read()) {
      for (Sample sample : record.samples()) {
        List<Label> labels = new ArrayList<>(record.name().labels());
        labels.addAll(sample.scope().labels());
        byName
            .computeIfAbsent(name(record.name(), sample), name -> new ArrayList<>())
            .add(new Series(sample, labels));
      }
    }
    return new Parts(byName.entrySet().iterator());
  }

  /** Renders one sample at a time. */
  private static final class Parts extends PageParts {
    private final Iterator<Map.Entry<String, List<Series>>> names;
    private String name = "";
    private Iterator<Series> series = Collections.emptyIterator();

    Parts(Iterator<Map.Entry<String, List<Series>>> names) {
      this.names = names;
    }

    @Override
    boolean hasMore() {
      return series.hasNext() || names.hasNext();
    }

    @Override
    void render(SeriesText text) {
      if (series.hasNext()) {
        write(name, series.next(), text);
        return;
      }
      Map.Entry<String, List<Series>> next = names.next();
      name = next.getKey();
      series = next.getValue().iterator();
      describe(name, next.getValue().get(0).sample(), text);
    }
  }

  /** Returns the name of a sample's series. */
  static String name(RecordName record, Sample sample) {
    Metric metric = sample.metric();
    boolean isDistribution = sample.value() instanceof Value.Distribution;
    String own =
        metric.series().isEmpty()
            ? bare(SnakeCase.of(metric.name()), metric.unit(), metric.kind(), isDistribution)
            : metric.series();
    return "cairn_"
        + record.subsystem()
        + (own.isEmpty() ? "" : "_" + own)
        + switch (metric.unit()) {
          case NONE -> "";
          case BYTES, MEGABYTES -> "_bytes";
          case MILLIS -> "_seconds";
          case PERCENT -> "_ratio";
        }
        + (metric.kind() == Kind.COUNTER && !isDistribution ? "_total" : "");
  }

  /** Removes a last word that the unit or the kind repeats. */
  private static String bare(String name, Unit unit, Kind kind, boolean isDistribution) {
    List<String> repeated =
        switch (unit) {
          case BYTES -> List.of("_size", "_bytes");
          case MEGABYTES -> List.of();
          case MILLIS -> List.of("_time", "_millis");
          case PERCENT -> List.of("_percent", "_ratio");
          case NONE -> kind == Kind.COUNTER && !isDistribution ? List.of("_count") : List.of();
        };
    return repeated.stream()
        .filter(name::endsWith)
        .findFirst()
        .map(end -> name.substring(0, name.length() - end.length()))
        .orElse(name);
  }

  private static void describe(String name, Sample first, SeriesText text) {
    boolean isDistribution = first.value() instanceof Value.Distribution;
    String type =
        isDistribution ? "histogram" : first.metric().kind() == Kind.GAUGE ? "gauge" : "counter";
    text.describe(name, type, first.metric().help());
  }

  private static void write(String name, Series series, SeriesText text) {
    Unit unit = series.sample().metric().unit();
    if (series.sample().value() instanceof Value.Whole whole) {
      text.sample(name, series.labels(), scaled(whole.number(), unit));
    } else if (series.sample().value() instanceof Value.Decimal decimal) {
      text.sample(name, series.labels(), scaled(decimal.number(), unit));
    } else if (series.sample().value() instanceof Value.Distribution distribution) {
      write(name, series.labels(), unit, distribution.reading().total(), text);
    }
  }

  private static double scaled(double value, Unit unit) {
    return switch (unit) {
      case NONE, BYTES -> value;
      case MEGABYTES -> value * BYTES_PER_MEGABYTE;
      case MILLIS -> value / MILLIS_PER_SECOND;
      case PERCENT -> value / PERCENT;
    };
  }

  private static void write(
      String name, List<Label> labels, Unit unit, HistogramSnapshot total, SeriesText text) {
    double scale = unit == Unit.MILLIS ? NANOS_PER_SECOND : 1;
    Buckets buckets = unit == Unit.MILLIS ? TIMES : SIZES;
    List<Label> bounded = new ArrayList<>(labels);
    bounded.add(new Label("le", ""));
    for (int power = buckets.first(); power <= buckets.last(); power += buckets.step()) {
      bounded.set(labels.size(), new Label("le", SeriesText.number((1L << power) / scale)));
      text.sample(name + "_bucket", bounded, total.countBelow(1L << power));
    }
    bounded.set(labels.size(), new Label("le", "+Inf"));
    text.sample(name + "_bucket", bounded, total.count());
    text.sample(name + "_sum", labels, total.sum() / scale);
    text.sample(name + "_count", labels, total.count());
  }
}
