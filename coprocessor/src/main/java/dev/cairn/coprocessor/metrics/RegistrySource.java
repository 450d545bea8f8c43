package dev.cairn.coprocessor.metrics;

import dev.cairn.server.metrics.MetricRecord;
import dev.cairn.server.metrics.MetricSource;
import dev.cairn.server.metrics.RecordName;
import dev.cairn.server.metrics.Scope.Label;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hbase.metrics.Histogram;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.metrics.Timer;
import org.apache.hadoop.hbase.metrics.impl.HBaseMetrics2HadoopMetricsAdapter;

/**
 * The metrics of one of Apache's registries. A reading of a histogram or timer begins it anew, so a
 * registry with one is read once in ten seconds, as in HBase; all readers in between get the same
 * values. Thread-safe.
 */
final class RegistrySource implements MetricSource {
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** How long a reader waits for another one, which may meet a gauge that does not return. */
  private static final long WAIT_SECONDS = 1;

  private final MetricRegistry registry;
  private final RecordName name;
  private final HBaseMetrics2HadoopMetricsAdapter adapter = new HBaseMetrics2HadoopMetricsAdapter();
  private final Lock reading = new ReentrantLock();
  private volatile Reading last = new Reading(0, List.of());

  /** The values at one moment. */
  private record Reading(long nanos, List<CollectedValues.Collected> values) {}

  RegistrySource(MetricRegistry registry) {
    this.registry = registry;
    this.name = name(registry.getMetricRegistryInfo());
  }

  private static RecordName name(MetricRegistryInfo info) {
    String[] parts = info.getMetricsJmxContext().split(",sub=", 2);
    return new RecordName(
        parts[0],
        parts.length == 1 ? "" : parts[1],
        info.getMetricsContext(),
        "coprocessor",
        List.of(new Label("registry", info.getMetricsName())));
  }

  /** Tells whether it reads {@code other}, which may be null. */
  boolean reads(MetricRegistry other) {
    return registry == other;
  }

  @Override
  public RecordName name() {
    return name;
  }

  @Override
  public void collect(MetricRecord.Builder to) {
    last(to.nowNanos()).values().forEach(one -> one.addTo(to));
  }

  private Reading last(long now) {
    try {
      if (reading.tryLock(WAIT_SECONDS, TimeUnit.SECONDS)) {
        try {
          if (last.values().isEmpty() || now - last.nanos() >= WINDOW_NANOS || !hasWindows()) {
            last = read(now);
          }
        } finally {
          reading.unlock();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return last;
  }

  private boolean hasWindows() {
    return registry.getMetrics().values().stream()
        .anyMatch(metric -> metric instanceof Histogram || metric instanceof Timer);
  }

  private Reading read(long now) {
    CollectedValues values = new CollectedValues();
    try {
      adapter.snapshotAllMetrics(registry, values);
    } catch (LinkageError e) {
      throw new IllegalStateException("A gauge of a coprocessor cannot be read", e);
    }
    return new Reading(now, values.all());
  }
}
