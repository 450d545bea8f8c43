package dev.cairn.server.loadsplit;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.loadsplit.LoadSample.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Takes samples of the calls of one region.
 *
 * <p>A call asks {@link #samples} how many samples to take; for most calls the answer is 0, which
 * costs one random number, no allocation and no write to shared memory. A call with samples
 * measures its processor time and bytes, and {@link #add}s a row for each. The choice is random,
 * because taking every n-th call could choose the same call each time from a client with a regular
 * pattern.
 *
 * <p>On average, one of {@code stride} rows is sampled. The stride doubles after every {@value
 * #SAMPLES_AT_STRIDE} samples of a slice. After a slice with few samples it halves, once or several
 * times, down to 1. Busy and quiet regions therefore have about equally many samples in a slice,
 * and the cost is bounded. Each sample is weighted by the stride at its time, so the sums stay
 * correct while the stride changes. Timed parts of scans ({@link #beginScan}) neither follow nor
 * change the stride.
 *
 * <p>Memory is bounded: a slice keeps at most {@value #SAMPLES_MAX} samples of each kind and drops
 * the others. The sums of such a slice are too low.
 *
 * <p>{@link #next} belongs to one thread; all other methods are thread-safe and lock-free.
 */
public final class LoadSampler {
  /** Longer rows are cut, so that samples hold little memory. */
  static final int ROW_BYTES_MAX = 256;

  /** Marks a part of a scan that is not timed. */
  public static final long UNTIMED = Long.MIN_VALUE;

  /** A slice keeps no more samples of calls than this, and no more of timed parts of scans. */
  static final int SAMPLES_MAX = 4_096;

  private static final int TIMED_SCANS = 16;
  private static final int SAMPLES_AT_STRIDE = 256;
  private static final int FEW_SAMPLES = 64;
  private static final int STRIDE_MAX = 1 << 16;

  /** A batch has no more samples than this. */
  private static final int SAMPLES_OF_CALL_MAX = 32;

  private final Clock clock;
  private final LongSupplier cpuNanos;
  private final IntSupplier random;
  private volatile int stride = 1; // a power of two
  private volatile Slice current;
  private volatile LoadTotals totals = LoadTotals.NONE; // written by next() only
  private volatile Optional<String> notice = Optional.empty();

  /** The samples of a slice. {@code count} and {@code timed} also count those that are dropped. */
  private record Slice(
      long beganNanos, Queue<LoadSample> samples, AtomicInteger count, AtomicInteger timed) {
    Slice(long beganNanos) {
      this(beganNanos, new ConcurrentLinkedQueue<>(), new AtomicInteger(), new AtomicInteger());
    }
  }

  /**
   * Creates a sampler; its first slice begins now.
   *
   * @param cpuNanos returns the processor time of the calling thread, nanoseconds
   * @param random returns any number, each as likely; thread-safe
   */
  public LoadSampler(Clock clock, LongSupplier cpuNanos, IntSupplier random) {
    this.clock = clock;
    this.cpuNanos = cpuNanos;
    this.random = random;
    this.current = new Slice(clock.nanoTime());
  }

  /**
   * Returns how many samples to take of a call.
   *
   * @param rows how many rows it reads or writes, at least 1
   */
  public int samples(int rows) {
    int every = stride;
    int first = random.getAsInt() & every - 1;
    if (first >= rows) {
      return 0;
    }
    return Math.min(SAMPLES_OF_CALL_MAX, 1 + (rows - 1 - first) / every);
  }

  /** Returns the processor time of the calling thread, to time a call with samples. */
  public long cpuNanos() {
    return cpuNanos.getAsLong();
  }

  /**
   * Begins a part of a scan call, before the number of its rows is known. Only one of {@value
   * #TIMED_SCANS} parts is timed, because reading the processor time takes as long as reading
   * several rows.
   *
   * @return for {@link #endScan}, or {@link #UNTIMED}
   */
  public long beginScan() {
    return (random.getAsInt() & TIMED_SCANS - 1) == 0 ? cpuNanos.getAsLong() : UNTIMED;
  }

  /**
   * Ends the part of a call that {@link #beginScan} began, on the same thread.
   *
   * @param row a row that it read, chosen at random
   * @return the processor time that it represents: its own and that of parts that are not timed
   */
  public long endScan(byte[] row, long begun) {
    Slice slice = current;
    long nanos = TIMED_SCANS * (cpuNanos.getAsLong() - begun);
    if (slice.timed.incrementAndGet() <= SAMPLES_MAX) {
      byte[] kept = bounded(row);
      slice.samples.add(new LoadSample(Kind.SCAN, kept, kept, kept, 0, 0, 0, 0, nanos));
    }
    return nanos;
  }

  /**
   * Adds a call that failed. Every such call counts, up to the slice's limit.
   *
   * @param row its row, or where it began; kept, so it must not change
   */
  public void failed(byte[] row) {
    Slice slice = current;
    if (slice.timed.incrementAndGet() <= SAMPLES_MAX) {
      byte[] kept = bounded(row);
      slice.samples.add(new LoadSample(Kind.FAILED, kept, kept, kept, 0, 0, 0, 0, 0));
    }
  }

  /** Returns a random number from 0 to {@code bound} (exclusive), to choose a row of a call. */
  public int choose(int bound) {
    return Math.floorMod(random.getAsInt(), bound);
  }

  /**
   * Adds one sample of a call.
   *
   * @param row one of its rows, chosen at random; kept, so it must not change
   * @param call the work of the call
   * @param samples how many samples are taken of it: the result of {@link #samples}
   */
  public void add(byte[] row, Call call, int samples) {
    add(row, row, row, call, samples);
  }

  /**
   * Adds one sample of a scan call.
   *
   * @param row one of its rows, chosen at random
   * @param low the first row that it read, in the order of rows
   * @param high the last row that it read
   */
  public void add(byte[] row, byte[] low, byte[] high, Call call, int samples) {
    int every = stride;
    Slice slice = current;
    int count = slice.count.incrementAndGet();
    if (count % SAMPLES_AT_STRIDE == 0) {
      stride = Math.min(STRIDE_MAX, every * 2);
    }
    if (count > SAMPLES_MAX) {
      return;
    }
    // The share of such calls that are sampled, times the samples of one.
    double share = call.rows() < every ? call.rows() / (double) every : samples;
    byte[] kept = bounded(row);
    slice.samples.add(
        new LoadSample(
            call.kind(),
            kept,
            low == row ? kept : bounded(low),
            high == row ? kept : bounded(high),
            call.requests() / share,
            call.rows() / share,
            call.hidden() / share,
            call.bytes() / share,
            call.nanos() / share,
            call.scanNanos() / share,
            call.searched()));
  }

  /**
   * The work of one call.
   *
   * @param kind its kind; not {@link Kind#FAILED}
   * @param rows how many rows it read or wrote: the argument of {@link #samples}
   * @param hidden of how many of them a scan returned nothing
   * @param requests how many requests it counts as
   * @param bytes how many bytes of cells it read or wrote
   * @param nanos how much processor time it took; 0 for a scan
   * @param scanNanos the result of {@link #endScan}; 0 if the call was not timed
   * @param searched see {@link LoadSample#searched}
   */
  public record Call(
      Kind kind,
      int rows,
      long hidden,
      int requests,
      long bytes,
      long nanos,
      long scanNanos,
      List<String> searched) {
    /** Creates a call that reads or writes given rows. */
    public Call(Kind kind, int rows, int requests, long bytes, long nanos) {
      this(kind, rows, 0, requests, bytes, nanos, 0, List.of());
    }

    /** Creates a call of a scan. */
    public static Call ofScan(
        int rows, long hidden, long bytes, long scanNanos, List<String> searched) {
      return new Call(Kind.SCAN, rows, hidden, 1, bytes, 0, scanNanos, searched);
    }
  }

  /** Tells whether the next slice has no samples and does not change the stride. */
  public boolean isIdle() {
    Slice slice = current;
    return slice.count.get() == 0 && slice.timed.get() == 0 && stride == 1;
  }

  /** Ends and returns the current slice, and begins the next one. */
  public LoadSlice next() {
    Slice ended = current;
    long now = clock.nanoTime();
    current = new Slice(now);
    stride = strideAfter(ended.count.get(), stride);
    List<LoadSample> samples = new ArrayList<>(ended.samples);
    LoadSlice slice =
        new LoadSlice(Math.max(1, TimeUnit.NANOSECONDS.toMillis(now - ended.beganNanos)), samples);
    totals = totals.plus(slice);
    return slice;
  }

  /** Returns the load of all slices that have ended. */
  public LoadTotals totals() {
    return totals;
  }

  /** Returns why a split does not spread the load; empty if one might, or is not needed. */
  public Optional<String> notice() {
    return notice;
  }

  /** Sets {@link #notice}. */
  public void setNotice(Optional<String> why) {
    notice = why;
  }

  private static int strideAfter(int samples, int stride) {
    int likely = Math.max(1, samples);
    int next = stride;
    while (likely < FEW_SAMPLES && next > 1) {
      likely *= 2;
      next /= 2;
    }
    return next;
  }

  private static byte[] bounded(byte[] row) {
    return row.length <= ROW_BYTES_MAX ? row : Arrays.copyOf(row, ROW_BYTES_MAX);
  }
}
