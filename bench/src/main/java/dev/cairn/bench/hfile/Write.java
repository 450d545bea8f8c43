package dev.cairn.bench.hfile;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.KeyValue;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Writes a whole file from cells in memory, as a flush does. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Write {
  private static final String NAME = "written";

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private StoreFiles files;
  private KeyValue[] keyValues;
  private int file;
  private long deletingNanos;

  /** Makes Apache's cells beforehand. */
  @Setup(Level.Trial)
  public void prepare(StoreFiles all) throws IOException {
    files = all;
    keyValues = all.sample.toKeyValues();
  }

  /** Deletes the file that was written last. */
  @TearDown(Level.Invocation)
  public void delete() throws IOException {
    long before = threads.getCurrentThreadCpuTime();
    files.cairn.delete(NAME + file);
    deletingNanos += threads.getCurrentThreadCpuTime() - before;
  }

  /** Cairn's writer. */
  @Benchmark
  public void cairn(CpuTime.Outside outside) throws IOException {
    outside.add(takeDeletingNanos());
    files.cairn.write(NAME + ++file, files.sample);
  }

  /** Apache's writer. */
  @Benchmark
  public void apache(CpuTime.Outside outside) throws IOException {
    outside.add(takeDeletingNanos());
    files.apache.write(NAME + ++file, keyValues);
  }

  private long takeDeletingNanos() {
    long nanos = deletingNanos;
    deletingNanos = 0;
    return nanos;
  }
}
