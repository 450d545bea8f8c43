package dev.cairn.server.metrics;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the operations of one kind: how many began, failed and succeeded, and how long the
 * successful ones took. Thread-safe.
 */
public final class OperationCounters {
  private final LongAdder submitted = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final Histogram times = new Histogram();

  /** Counts an operation that begins. */
  public void submitted() {
    submitted.increment();
  }

  /** Counts an operation that has failed. */
  public void failed() {
    failed.increment();
  }

  /** Counts an operation that has succeeded. */
  public void succeeded(long millis) {
    times.record(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** Returns the number of operations that have begun. */
  public long submittedCount() {
    return submitted.sum();
  }

  /** Returns how long the successful operations took. */
  public Histogram times() {
    return times;
  }

  /**
   * Adds the numbers under HBase's names: {@code NAMESubmittedCount}, {@code NAMETime} and {@code
   * NAMEFailedCount}.
   *
   * @param name HBase's name of the kind
   * @param operations the kind in words, a plural
   */
  public void addTo(MetricRecord.Builder to, String name, String operations) {
    to.add(
            Metric.counter(name + "SubmittedCount", "Submitted " + operations + "."),
            submitted.sum())
        .add(Metric.time(name + "Time", "Duration of " + operations + "."), times)
        .add(Metric.counter(name + "FailedCount", "Failed " + operations + "."), failed.sum());
  }
}
