package dev.cairn.engine.time;

import java.util.EnumMap;
import java.util.Map;

/**
 * Measures the waits of one operation: for locks on rows, for the log, for blocks of files. The
 * owner of the operation makes the times current for a thread while the thread works on it ({@link
 * #enter}). Code that waits records its waits in the thread's current times, if any. The times are
 * not passed as arguments, because few operations are measured and the waits are many calls below.
 * Only code that waits looks them up, so all other code pays nothing.
 *
 * <p>One thread at a time.
 */
public final class PhaseTimes {
  private static final ThreadLocal<PhaseTimes> CURRENT = new ThreadLocal<>();

  private final Map<Phase, Waits> phases = new EnumMap<>(Phase.class);

  /** The reasons for waits. */
  public enum Phase {
    /** Locks on rows that other writes hold. */
    LOCK,
    /** The write-ahead log: until the entry is as safe as the write asks. */
    LOG,
    /** Blocks that are read from files. */
    BLOCKS
  }

  /**
   * The waits of one phase, which may have pauses between them.
   *
   * @param beginNanos the start of the first one, by the operation's {@link Clock#nanoTime}
   * @param endNanos the end of the last one
   * @param nanos the sum of all
   * @param count their number
   */
  public record Waits(long beginNanos, long endNanos, long nanos, int count) {
    private Waits and(long laterBeginNanos, long laterEndNanos) {
      return new Waits(
          beginNanos, laterEndNanos, nanos + laterEndNanos - laterBeginNanos, count + 1);
    }
  }

  /** A wait of the current operation; {@link #NOT_MEASURED} if there is none. */
  public static final class Wait implements AutoCloseable {
    private static final Wait NOT_MEASURED = new Wait(null, null, null, 0);

    private final PhaseTimes times; // null if not measured
    private final Phase phase;
    private final Clock clock;
    private final long beginNanos;

    private Wait(PhaseTimes times, Phase phase, Clock clock, long beginNanos) {
      this.times = times;
      this.phase = phase;
      this.clock = clock;
      this.beginNanos = beginNanos;
    }

    /** Ends the wait. */
    @Override
    public void close() {
      if (times != null) {
        times.record(phase, beginNanos, clock.nanoTime());
      }
    }
  }

  /** Makes these times current for this thread until {@link #leave}. */
  public void enter() {
    CURRENT.set(this);
  }

  /** Ends {@link #enter}. */
  public static void leave() {
    CURRENT.remove();
  }

  /** Begins a wait of the thread's current operation. Closing it ends the wait. */
  public static Wait begin(Phase phase, Clock clock) {
    PhaseTimes times = CURRENT.get();
    return times == null ? Wait.NOT_MEASURED : new Wait(times, phase, clock, clock.nanoTime());
  }

  /** Records a wait of the thread's current operation that has ended. */
  public static void ended(Phase phase, long beginNanos, long endNanos) {
    PhaseTimes times = CURRENT.get();
    if (times != null) {
      times.record(phase, beginNanos, endNanos);
    }
  }

  /** Records a wait of this operation that has ended. */
  public void record(Phase phase, long beginNanos, long endNanos) {
    Waits before = phases.get(phase);
    phases.put(
        phase,
        before == null
            ? new Waits(beginNanos, endNanos, endNanos - beginNanos, 1)
            : before.and(beginNanos, endNanos));
  }

  /** Returns the phases so far, without those that did not occur. */
  public Map<Phase, Waits> phases() {
    return phases;
  }
}
