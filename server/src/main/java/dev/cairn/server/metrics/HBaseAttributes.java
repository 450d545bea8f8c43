package dev.cairn.server.metrics;

import dev.cairn.server.metrics.Histogram.HistogramReading;
import dev.cairn.server.metrics.MetricRecord.Sample;
import dev.cairn.server.metrics.MetricRecord.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Names the values of a record as HBase's beans do. A histogram becomes an attribute for each of
 * its figures: {@code num_ops} since the start, the others of the last window. Times are
 * milliseconds. Stateless.
 */
final class HBaseAttributes {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private static final long[] TIME_RANGES = {
    1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000
  };

  private static final long[] SIZE_RANGES = {
    10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000
  };

  private static final List<Percentile> PERCENTILES =
      List.of(
          new Percentile("25th_percentile", 0.25),
          new Percentile("median", 0.5),
          new Percentile("75th_percentile", 0.75),
          new Percentile("90th_percentile", 0.9),
          new Percentile("95th_percentile", 0.95),
          new Percentile("98th_percentile", 0.98),
          new Percentile("99th_percentile", 0.99),
          new Percentile("99.9th_percentile", 0.999));

  private record Percentile(String name, double part) {}

  /**
   * An attribute of a bean.
   *
   * @param value a {@link Long} or a {@link Double}
   */
  record Attribute(String name, Number value, Metric.Kind kind, String help) {}

  private HBaseAttributes() {}

  /** Returns the attributes of a record, without its tags. */
  static List<Attribute> of(MetricRecord record) {
    List<Attribute> attributes = new ArrayList<>(record.samples().size());
    for (Sample sample : record.samples()) {
      Metric metric = sample.metric();
      if (sample.value() instanceof Value.Whole whole) {
        attributes.add(
            new Attribute(sample.attribute(), whole.number(), metric.kind(), metric.help()));
      } else if (sample.value() instanceof Value.Decimal decimal) {
        attributes.add(
            new Attribute(sample.attribute(), decimal.number(), metric.kind(), metric.help()));
      } else if (sample.value() instanceof Value.Distribution distribution) {
        expand(sample, distribution.reading(), attributes);
      }
    }
    return attributes;
  }

  private static void expand(Sample sample, HistogramReading reading, List<Attribute> to) {
    boolean isTime = sample.metric().unit() == Metric.Unit.MILLIS;
    long divisor = isTime ? NANOS_PER_MILLI : 1;
    HistogramSnapshot recent = reading.recent();
    String help = sample.metric().help();
    String name = sample.attribute() + "_";
    to.add(new Attribute(name + "num_ops", reading.total().count(), Metric.Kind.COUNTER, help));
    to.add(gauge(name + "min", recent.min() / divisor, help));
    to.add(gauge(name + "max", recent.max() / divisor, help));
    to.add(gauge(name + "mean", recent.mean() / divisor, help));
    for (Percentile percentile : PERCENTILES) {
      to.add(gauge(name + percentile.name(), recent.percentile(percentile.part()) / divisor, help));
    }
    ranges(
        name + (isTime ? "TimeRangeCount_" : "SizeRangeCount_"),
        isTime ? TIME_RANGES : SIZE_RANGES,
        divisor,
        recent,
        help,
        to);
  }

  /** Adds the number of values in each range that has some. */
  private static void ranges(
      String name,
      long[] bounds,
      long divisor,
      HistogramSnapshot recent,
      String help,
      List<Attribute> to) {
    long lower = 0;
    long below = 0;
    for (long bound : bounds) {
      long now = recent.countBelow(bound * divisor);
      if (now > below) {
        to.add(gauge(name + lower + "-" + bound, now - below, help));
      }
      lower = bound;
      below = now;
    }
    if (recent.count() > below) {
      to.add(gauge(name + lower + "-inf", recent.count() - below, help));
    }
  }

  private static Attribute gauge(String name, long value, String help) {
    return new Attribute(name, value, Metric.Kind.GAUGE, help);
  }
}
