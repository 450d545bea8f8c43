package dev.cairn.server.metrics;

import dev.cairn.server.metrics.Histogram.HistogramReading;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The values of a record at one moment.
 *
 * @param tags texts, by HBase's names
 */
public record MetricRecord(RecordName name, Map<String, String> tags, List<Sample> samples) {
  /** A value of a metric. */
  public sealed interface Value {
    /** A whole number. */
    record Whole(long number) implements Value {}

    /** A number with a fraction. */
    record Decimal(double number) implements Value {}

    /** The values of a histogram. */
    record Distribution(HistogramReading reading) implements Value {}
  }

  /** One metric's value for one scope. */
  public record Sample(Metric metric, Scope scope, Value value) {
    /** Returns HBase's name of the metric, with its scope. */
    String attribute() {
      return scope.prefix() + metric.name();
    }
  }

  /** Collects the values of a record. One thread. */
  public static final class Builder {
    private final RecordName name;
    private final long nowNanos;
    private final Map<String, String> tags = new LinkedHashMap<>();
    private final List<Sample> samples = new ArrayList<>();

    /**
     * Creates a builder without values.
     *
     * @param nowNanos the clock's time
     */
    Builder(RecordName name, long nowNanos) {
      this.name = name;
      this.nowNanos = nowNanos;
    }

    /** Returns the clock's time of the reading, nanoseconds. */
    public long nowNanos() {
      return nowNanos;
    }

    /** Adds a text. */
    public Builder tag(String tag, String value) {
      tags.put(tag, value);
      return this;
    }

    /** Adds a whole number. */
    public Builder add(Metric metric, Scope scope, long value) {
      samples.add(new Sample(metric, scope, new Value.Whole(value)));
      return this;
    }

    /** Adds a whole number for the whole subject. */
    public Builder add(Metric metric, long value) {
      return add(metric, Scope.ALL, value);
    }

    /** Adds a number with a fraction. */
    public Builder addDecimal(Metric metric, Scope scope, double value) {
      samples.add(new Sample(metric, scope, new Value.Decimal(value)));
      return this;
    }

    /** Adds a number with a fraction for the whole subject. */
    public Builder addDecimal(Metric metric, double value) {
      return addDecimal(metric, Scope.ALL, value);
    }

    /** Adds the values of a histogram. */
    public Builder add(Metric metric, Scope scope, HistogramReading reading) {
      samples.add(new Sample(metric, scope, new Value.Distribution(reading)));
      return this;
    }

    /** Adds the values of a histogram for the whole subject. */
    public Builder add(Metric metric, Histogram histogram) {
      return add(metric, Scope.ALL, histogram.read(nowNanos));
    }

    MetricRecord build() {
      return new MetricRecord(name, tags, samples);
    }
  }
}
