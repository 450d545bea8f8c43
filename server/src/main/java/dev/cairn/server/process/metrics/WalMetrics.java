package dev.cairn.server.process.metrics;

import dev.cairn.engine.storage.Storage;
import dev.cairn.server.metrics.Histogram;
import dev.cairn.server.metrics.Metric;
import dev.cairn.server.metrics.Metric.Unit;
import dev.cairn.server.metrics.MetricRecord;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Records the work of a region server's logs. Thread-safe. */
public final class WalMetrics {
  private final Histogram syncTimes = new Histogram();
  private final Histogram groupSizes = new Histogram();
  private final LongAdder entries = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder rolls = new LongAdder();
  private final LongAdder failures = new LongAdder();

  /** The lengths of ended files that are still needed, by their names. */
  private final Map<String, Long> ended = new ConcurrentHashMap<>();

  public void groupCommitted(int count, long length, long nanos) {
    syncTimes.record(nanos);
    groupSizes.record(length);
    entries.add(count);
    bytes.add(length);
  }

  public void rolled(String path, String next, long length) {
    rolls.increment();
    ended.put(Storage.name(path), length);
  }

  public void archived(String path) {
    ended.remove(Storage.name(path));
  }

  /** Returns the number of entries that were logged. */
  public long entryCount() {
    return entries.sum();
  }

  /** Returns the bytes that were logged. */
  public long writtenBytes() {
    return bytes.sum();
  }

  /** Returns the number of files that were ended. */
  public long rollCount() {
    return rolls.sum();
  }

  /** Returns the number of files that failed. */
  public long failureCount() {
    return failures.sum();
  }

  /** Returns the files that have ended and are not archived yet, with their lengths in bytes. */
  public Map<String, Long> endedFiles() {
    return new TreeMap<>(ended);
  }

  public void fileFailed() {
    failures.increment();
  }

  /** Adds the values to the record of the logs. */
  public void collect(MetricRecord.Builder to) {
    to.add(Metric.time("SyncTime", "Times in which a group of entries became durable."), syncTimes)
        .add(Metric.size("GroupSize", "Bytes of each group of entries."), groupSizes)
        .add(
            Metric.counter("appendCount", "Entries that were logged.").as("entries"), entries.sum())
        .add(Metric.counter("writtenBytes", Unit.BYTES, "Bytes that were logged."), bytes.sum())
        .add(Metric.counter("successfulLogRolls", "Files that were ended."), rolls.sum())
        .add(Metric.counter("failedFiles", "Files that failed."), failures.sum());
  }

  /**
   * Adds the files to the record of a region server.
   *
   * @param logs the number of logs, each with one open file
   */
  public void collectFiles(int logs, MetricRecord.Builder to) {
    to.add(Metric.gauge("hlogFileCount", "Log files.").as("log_files"), ended.size() + logs)
        .add(
            Metric.gauge("hlogFileSize", Unit.BYTES, "Length of the log files that are ended.")
                .as("ended_log_files"),
            ended.values().stream().mapToLong(Long::longValue).sum());
  }
}
