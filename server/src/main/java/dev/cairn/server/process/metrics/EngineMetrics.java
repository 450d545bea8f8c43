package dev.cairn.server.process.metrics;

import dev.cairn.server.metrics.Histogram;
import dev.cairn.server.metrics.Metric;
import dev.cairn.server.metrics.Metric.Unit;
import dev.cairn.server.metrics.MetricRecord;
import java.util.concurrent.atomic.LongAdder;

/** Records the flushes and compactions of a region server. Thread-safe. */
public final class EngineMetrics {
  private final Histogram flushTimes = new Histogram();
  private final Histogram flushInputs = new Histogram();
  private final Histogram flushOutputs = new Histogram();
  private final LongAdder flushInputBytes = new LongAdder();
  private final LongAdder flushOutputBytes = new LongAdder();
  private final LongAdder failedFlushes = new LongAdder();
  private final LongAdder failedCompactions = new LongAdder();
  private final Merges all = new Merges();
  private final Merges major = new Merges();

  /** Compactions of one kind. */
  private static final class Merges {
    private final Histogram times = new Histogram();
    private final Histogram inputFiles = new Histogram();
    private final Histogram inputs = new Histogram();
    private final Histogram outputs = new Histogram();
    private final LongAdder inputBytes = new LongAdder();
    private final LongAdder outputBytes = new LongAdder();

    void ended(int files, long bytesIn, long bytesOut, long nanos) {
      times.record(nanos);
      inputFiles.record(files);
      inputs.record(bytesIn);
      outputs.record(bytesOut);
      inputBytes.add(bytesIn);
      outputBytes.add(bytesOut);
    }

    /** Adds the values; {@code kind} begins the names of counters, and {@code Kind} the others. */
    public void collect(String kind, String capitalKind, MetricRecord.Builder to) {
      String what = kind.equals("compacted") ? "all compactions" : "major compactions";
      to.add(Metric.time(capitalKind + "Time", "Times of " + what + "."), times)
          .add(
              new Metric(
                  capitalKind + "InputFileCount",
                  "",
                  Metric.Kind.COUNTER,
                  Unit.NONE,
                  "Numbers of files that " + what + " have merged."),
              inputFiles)
          .add(Metric.size(capitalKind + "InputSize", "Bytes that " + what + " read."), inputs)
          .add(Metric.size(capitalKind + "OutputSize", "Bytes that " + what + " wrote."), outputs)
          .add(
              Metric.counter(kind + "InputBytes", Unit.BYTES, "Bytes that " + what + " have read."),
              inputBytes.sum())
          .add(
              Metric.counter(
                  kind + "OutputBytes", Unit.BYTES, "Bytes that " + what + " have written."),
              outputBytes.sum());
    }
  }

  public void flushBegun(long memStoreBytes) {
    flushInputs.record(memStoreBytes);
    flushInputBytes.add(memStoreBytes);
  }

  public void flushEnded(long fileBytes, long nanos) {
    flushTimes.record(nanos);
    flushOutputs.record(fileBytes);
    flushOutputBytes.add(fileBytes);
  }

  public void flushFailed() {
    failedFlushes.increment();
  }

  public void compactionEnded(int files, boolean isMajor, long bytesIn, long bytesOut, long nanos) {
    all.ended(files, bytesIn, bytesOut, nanos);
    if (isMajor) {
      major.ended(files, bytesIn, bytesOut, nanos);
    }
  }

  public void compactionFailed() {
    failedCompactions.increment();
  }

  /** Adds the values to the record of a region server. */
  public void collect(MetricRecord.Builder to) {
    to.add(Metric.time("FlushTime", "Times of flushes."), flushTimes)
        .add(Metric.size("FlushMemstoreSize", "Memory of flushed memstores."), flushInputs)
        .add(Metric.size("FlushOutputSize", "Bytes that flushes wrote."), flushOutputs)
        .add(
            Metric.counter("flushedMemstoreBytes", Unit.BYTES, "Memory that was flushed."),
            flushInputBytes.sum())
        .add(
            Metric.counter("flushedOutputBytes", Unit.BYTES, "Bytes that flushes have written."),
            flushOutputBytes.sum())
        .add(Metric.counter("failedFlushCount", "Flushes that failed."), failedFlushes.sum())
        .add(
            Metric.counter("failedCompactionCount", "Compactions that failed."),
            failedCompactions.sum());
    all.collect("compacted", "Compaction", to);
    major.collect("majorCompacted", "MajorCompaction", to);
  }
}
