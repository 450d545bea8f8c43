package dev.cairn.server.metrics;

/**
 * Defines a metric.
 *
 * @param name HBase's name, or a name in the same style
 * @param series the name at {@code /metrics} without subsystem and unit; empty to derive it from
 *     {@code name}
 * @param help the meaning of the value, a sentence
 */
public record Metric(String name, String series, Kind kind, Unit unit, String help) {
  /** The way in which a value changes. */
  public enum Kind {
    /** It goes up and down. */
    GAUGE,
    /** It only goes up, until the server restarts. */
    COUNTER
  }

  /** The unit of a value. */
  public enum Unit {
    /** Things, or a number without a unit. */
    NONE,
    BYTES,
    /** HBase's views show them as they are; {@code /metrics} shows bytes. */
    MEGABYTES,
    /** HBase's views show milliseconds; {@code /metrics} shows seconds. */
    MILLIS,
    /** A part of the whole: HBase's views show percent; {@code /metrics} shows 0 to 1. */
    PERCENT
  }

  /** Returns a metric that goes up and down. */
  public static Metric gauge(String name, Unit unit, String help) {
    return new Metric(name, "", Kind.GAUGE, unit, help);
  }

  /** Returns a metric that goes up and down, without a unit. */
  public static Metric gauge(String name, String help) {
    return gauge(name, Unit.NONE, help);
  }

  /** Returns a metric that only goes up. */
  public static Metric counter(String name, Unit unit, String help) {
    return new Metric(name, "", Kind.COUNTER, unit, help);
  }

  /** Returns a metric that only goes up, without a unit. */
  public static Metric counter(String name, String help) {
    return counter(name, Unit.NONE, help);
  }

  /** Returns the metric of a {@link Histogram} of nanoseconds. */
  public static Metric time(String name, String help) {
    return new Metric(name, "", Kind.COUNTER, Unit.MILLIS, help);
  }

  /** Returns the metric of a {@link Histogram} of bytes. */
  public static Metric size(String name, String help) {
    return new Metric(name, "", Kind.COUNTER, Unit.BYTES, help);
  }

  /** Returns the same metric with another name at {@code /metrics}. */
  public Metric as(String series) {
    return new Metric(name, series, kind, unit, help);
  }
}
