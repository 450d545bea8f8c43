package dev.cairn.coprocessor.metrics;

import dev.cairn.server.metrics.Metric;
import dev.cairn.server.metrics.MetricRecord;
import dev.cairn.server.metrics.Scope;
import dev.cairn.server.metrics.Scope.Label;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsTag;

/**
 * Keeps the values into which HBase's adapter translates a registry: it makes the names that HBase
 * has in JMX. One thread.
 */
final class CollectedValues extends MetricsRecordBuilder {
  private static final String HELP = "A metric that a coprocessor has registered.";

  private final List<Collected> values = new ArrayList<>();

  /** A value of a metric. */
  @FunctionalInterface
  interface Collected {
    /** Adds the value to a record. */
    void addTo(MetricRecord.Builder record);
  }

  /** Returns the values in the order in which they were collected. */
  List<Collected> all() {
    return List.copyOf(values);
  }

  /** All have one series, because coprocessors choose any names; the name is a label. */
  private static Metric metric(MetricsInfo info, Metric.Kind kind) {
    return new Metric(info.name(), "metric", kind, Metric.Unit.NONE, HELP);
  }

  private static Scope scope(MetricsInfo info) {
    return new Scope("", List.of(new Label("metric", info.name())));
  }

  private CollectedValues whole(MetricsInfo info, Metric.Kind kind, long value) {
    Metric metric = metric(info, kind);
    Scope scope = scope(info);
    values.add(record -> record.add(metric, scope, value));
    return this;
  }

  private CollectedValues decimal(MetricsInfo info, double value) {
    Metric metric = metric(info, Metric.Kind.GAUGE);
    Scope scope = scope(info);
    values.add(record -> record.addDecimal(metric, scope, value));
    return this;
  }

  @Override
  public MetricsRecordBuilder addCounter(MetricsInfo info, int value) {
    return whole(info, Metric.Kind.COUNTER, value);
  }

  @Override
  public MetricsRecordBuilder addCounter(MetricsInfo info, long value) {
    return whole(info, Metric.Kind.COUNTER, value);
  }

  @Override
  public MetricsRecordBuilder addGauge(MetricsInfo info, int value) {
    return whole(info, Metric.Kind.GAUGE, value);
  }

  @Override
  public MetricsRecordBuilder addGauge(MetricsInfo info, long value) {
    return whole(info, Metric.Kind.GAUGE, value);
  }

  @Override
  public MetricsRecordBuilder addGauge(MetricsInfo info, float value) {
    return decimal(info, Double.parseDouble(Float.toString(value))); // 0.1 stays 0.1
  }

  @Override
  public MetricsRecordBuilder addGauge(MetricsInfo info, double value) {
    return decimal(info, value);
  }

  @Override
  public MetricsRecordBuilder tag(MetricsInfo info, String value) {
    throw unexpected();
  }

  @Override
  public MetricsRecordBuilder add(MetricsTag tag) {
    throw unexpected();
  }

  @Override
  public MetricsRecordBuilder add(AbstractMetric metric) {
    throw unexpected();
  }

  @Override
  public MetricsRecordBuilder setContext(String value) {
    throw unexpected();
  }

  @Override
  public MetricsCollector parent() {
    throw unexpected();
  }

  private static UnsupportedOperationException unexpected() {
    return new UnsupportedOperationException("HBase's adapter of registries adds values alone");
  }
}
