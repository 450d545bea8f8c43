package dev.cairn.engine.store;

import dev.cairn.engine.time.Clock;
import java.time.ZoneId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * Limits the write rate of all compactions together, or of all flushes. The limit grows with the
 * pressure of the neediest store; once an operation has to wait for them, there is no limit. The
 * numbers are those of HBase's {@code PressureAwareCompactionThroughputController} and {@code
 * PressureAwareFlushThroughputController}.
 *
 * <p>A writer waits after every small piece, some milliseconds each: on a machine with few
 * processors its load is then spread evenly, and a request meets no more of it than one piece.
 * HBase's compactions wait after every 50 MB, for a second.
 */
public final class PressureAwareController implements ThroughputController {
  /** The bytes between two waits: some 4 ms at 50 MB a second, one of them work. */
  private static final long PIECE_BYTES = 256 << 10;

  /** The maximum time that a writer may catch up after it was slower than its limit allows. */
  private static final long ARREARS_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** The maximum time until a waiting writer learns that it must hurry. */
  private static final long NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Supplier<Limits> limits;
  private final Clock clock;
  private final ZoneId zone;
  private final Nap nap;
  private final Set<DoubleSupplier> stores = ConcurrentHashMap.newKeySet();
  private final AtomicInteger running = new AtomicInteger();
  private volatile Tuning tuning;

  /**
   * The limits of the write rate, bytes per second.
   *
   * @param lowest limit while no store is under pressure, at least 1
   * @param highest limit while a store is about to block writes, at least {@code lowest}
   * @param offPeak limit in off-peak hours, at least 1
   * @param hours the off-peak hours
   * @param tunePeriodMillis time for which one evaluation of the stores holds
   */
  public record Limits(
      long lowest, long highest, long offPeak, OffPeakHours hours, long tunePeriodMillis) {
    /** HBase's defaults for compactions. */
    public static final Limits COMPACTIONS =
        new Limits(50L << 20, 100L << 20, Long.MAX_VALUE, OffPeakHours.NONE, 60_000);

    /**
     * HBase's bounds for flushes. A region's memory may fill within seconds, so there is a look at
     * it more often than HBase's every 20 seconds.
     */
    public static final Limits FLUSHES =
        new Limits(100L << 20, 200L << 20, Long.MAX_VALUE, OffPeakHours.NONE, 100);

    /** No limits. */
    public static final Limits NONE =
        new Limits(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, OffPeakHours.NONE, 3_600_000);

    /** Checks the numbers. */
    public Limits {
      if (lowest < 1 || highest < lowest || offPeak < 1) {
        throw new IllegalArgumentException(
            "Store files cannot be written with "
                + lowest
                + " to "
                + highest
                + " bytes a second, nor "
                + offPeak
                + " at off-peak hours");
      }
    }
  }

  /** Waits. */
  @FunctionalInterface
  public interface Nap {
    /** Waits for {@code nanos}. */
    void take(long nanos) throws InterruptedException;
  }

  /** The result of one evaluation of the stores. */
  private record Tuning(Limits limits, double bytesPerSecond, long untilNanos) {}

  /**
   * Creates a pace.
   *
   * @param zone where the hours of the day are those that people live by
   * @param nap waits, in the thread that writes
   */
  public PressureAwareController(Limits limits, Clock clock, ZoneId zone, Nap nap) {
    this(() -> limits, clock, zone, nap);
  }

  /**
   * Creates a pace whose limits may change; a change takes effect at once.
   *
   * @param limits returns the present limits; never blocks
   * @param zone where the hours of the day are those that people live by
   * @param nap waits, in the thread that writes
   */
  public PressureAwareController(Supplier<Limits> limits, Clock clock, ZoneId zone, Nap nap) {
    this.limits = limits;
    this.clock = clock;
    this.zone = zone;
    this.nap = nap;
    Limits now = limits.get();
    this.tuning = new Tuning(now, now.lowest(), clock.nanoTime()); // to be looked up at first use
  }

  @Override
  public void watch(DoubleSupplier pressure) {
    stores.add(pressure);
  }

  @Override
  public void forget(DoubleSupplier pressure) {
    stores.remove(pressure);
  }

  @Override
  public Run begin() {
    running.incrementAndGet();
    return new PacedRun();
  }

  private double bytesPerSecond(long now) {
    Tuning current = tuning;
    Limits present = limits.get();
    if (present != current.limits() || now - current.untilNanos() >= 0) {
      long until = now + TimeUnit.MILLISECONDS.toNanos(present.tunePeriodMillis());
      current = new Tuning(present, tune(present), until);
      tuning = current; // of two threads that look at once either's result will do
    }
    return current.bytesPerSecond();
  }

  private double tune(Limits present) {
    double pressure = stores.stream().mapToDouble(DoubleSupplier::getAsDouble).max().orElse(0);
    if (pressure > 1) {
      return Double.MAX_VALUE;
    }
    return present.hours().contain(clock.currentTimeMillis(), zone)
        ? present.offPeak()
        : present.lowest() + (present.highest() - present.lowest()) * Math.max(0, pressure);
  }

  private final class PacedRun implements Run {
    private long piece;
    private long pieceBegunNanos = clock.nanoTime();

    /** The time at which the bytes written so far are paid off. */
    private long dueNanos = pieceBegunNanos;

    @Override
    public void wrote(int bytes, BooleanSupplier hurry) {
      piece += bytes;
      if (piece >= PIECE_BYTES) {
        await(hurry);
        piece = 0;
        pieceBegunNanos = clock.nanoTime();
      }
    }

    private void await(BooleanSupplier hurry) {
      long now = clock.nanoTime();
      double share = bytesPerSecond(now) / Math.max(1, running.get());
      long cost = (long) (piece * (double) TimeUnit.SECONDS.toNanos(1) / share);
      if (pieceBegunNanos - dueNanos > ARREARS_NANOS) {
        dueNanos = pieceBegunNanos - ARREARS_NANOS;
      }
      dueNanos += cost;
      while (dueNanos - now > 0 && !hurry.getAsBoolean()) {
        try {
          nap.take(Math.min(NAP_NANOS, dueNanos - now));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt(); // an interrupt asks for haste
          return;
        }
        now = clock.nanoTime();
      }
    }

    @Override
    public void close() {
      running.decrementAndGet();
    }
  }
}
