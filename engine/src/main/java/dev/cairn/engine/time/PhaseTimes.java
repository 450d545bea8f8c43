package dev.cairn.engine.time;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Measures the waits of one operation: for locks on rows, for the log, for blocks of files, and for
 * hooks. The thread that works on the operation makes it current ({@link #enter}). Code that waits
 * records its waits in the thread's current operation, if any. The times are not passed as
 * arguments, because the waits are many calls deeper.
 *
 * <p>All operations are measured, so measuring must be cheap. Entering costs one look-up in a
 * thread-local. The times are created at the first wait. Only code that waits or ends a read looks
 * up the current operation.
 *
 * <p>One thread at a time.
 */
public final class PhaseTimes {
  private static final ThreadLocal<Current> CURRENT = ThreadLocal.withInitial(Current::new);

  private Waits lock = Waits.NONE;
  private Waits log = Waits.NONE;
  private Waits blocks = Waits.NONE;
  private Waits hooks = Waits.NONE;
  private long diskBytes;
  private long cachedBlocks;
  private long cachedBytes;

  /** The reasons for waits. */
  public enum Phase {
    /** Locks on rows that other writes hold. */
    LOCK,
    /** The write-ahead log: until it has room, and until the entry is as durable as requested. */
    LOG,
    /** Blocks that are read from files. */
    BLOCKS,
    /** Hooks of users' classes, without the waits above that are within them. */
    HOOKS
  }

  /** Returns the calling thread's current operation; empty if there is none. */
  public static Optional<Operation> current() {
    return Optional.ofNullable(CURRENT.get().operation);
  }

  /** An operation whose waits are measured. Used by one thread at a time. */
  public interface Operation {
    /** Returns the operation's times. May create them, as only waits and reads call it. */
    PhaseTimes phases();
  }

  /** A thread's current operation. Each thread has one such object. */
  public static final class Current implements AutoCloseable {
    private Operation operation; // null if there is none

    /** Ends {@link PhaseTimes#enter}. */
    @Override
    public void close() {
      operation = null;
    }
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
    private static final Waits NONE = new Waits(0, 0, 0, 0);

    private Waits and(long laterBeginNanos, long laterEndNanos, long laterNanos) {
      return new Waits(
          this == NONE ? laterBeginNanos : beginNanos,
          laterEndNanos,
          nanos + laterNanos,
          count + 1);
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

  /** Makes an operation current for this thread until the result is closed. */
  public static Current enter(Operation operation) {
    Current current = CURRENT.get();
    current.operation = operation;
    return current;
  }

  /** Begins a wait of the thread's current operation. Closing it ends the wait. */
  public static Wait begin(Phase phase, Clock clock) {
    Operation operation = CURRENT.get().operation;
    return operation == null
        ? Wait.NOT_MEASURED
        : new Wait(operation.phases(), phase, clock, clock.nanoTime());
  }

  /** Records a block that the thread's current operation has read from a file. */
  public static void readFromDisk(int bytes, long beginNanos, long endNanos) {
    Operation operation = CURRENT.get().operation;
    if (operation != null) {
      PhaseTimes times = operation.phases();
      times.record(Phase.BLOCKS, beginNanos, endNanos);
      times.diskBytes += bytes;
    }
  }

  /** Records blocks that the thread's current operation has found in the cache. */
  public static void readFromCache(long blocks, long bytes) {
    Operation operation = CURRENT.get().operation;
    if (operation != null) {
      PhaseTimes times = operation.phases();
      times.cachedBlocks += blocks;
      times.cachedBytes += bytes;
    }
  }

  /** Returns the waits of the thread's current operation so far, apart from hooks. */
  public static long waitedNanos() {
    Operation operation = CURRENT.get().operation;
    return operation == null ? 0 : operation.phases().waits();
  }

  /** Returns the time of hooks in the thread's current operation so far. */
  public static long hookNanos() {
    Operation operation = CURRENT.get().operation;
    return operation == null ? 0 : operation.phases().hooks.nanos();
  }

  private long waits() {
    return lock.nanos() + log.nanos() + blocks.nanos();
  }

  /**
   * Records hooks that the thread's current operation has run.
   *
   * @param pausedNanos the time between begin and end that was not theirs
   * @param waitedNanos the result of {@link #waitedNanos} when they began
   */
  public static void ranHooks(long beginNanos, long endNanos, long pausedNanos, long waitedNanos) {
    Operation operation = CURRENT.get().operation;
    if (operation != null) {
      PhaseTimes times = operation.phases();
      long own = endNanos - beginNanos - pausedNanos - (times.waits() - waitedNanos);
      times.record(Phase.HOOKS, beginNanos, endNanos, Math.max(0, own));
    }
  }

  /** Records a wait of this operation that has ended. */
  public void record(Phase phase, long beginNanos, long endNanos) {
    record(phase, beginNanos, endNanos, endNanos - beginNanos);
  }

  private void record(Phase phase, long beginNanos, long endNanos, long nanos) {
    Waits now = waits(phase).and(beginNanos, endNanos, nanos);
    switch (phase) {
      case LOCK -> lock = now;
      case LOG -> log = now;
      case BLOCKS -> blocks = now;
      case HOOKS -> hooks = now;
    }
  }

  /** Returns the phases so far, without those that did not occur. */
  public Map<Phase, Waits> phases() {
    Map<Phase, Waits> phases = new EnumMap<>(Phase.class);
    for (Phase phase : Phase.values()) {
      if (waits(phase) != Waits.NONE) {
        phases.put(phase, waits(phase));
      }
    }
    return phases;
  }

  /** Returns the waits of a phase so far. */
  public Waits waits(Phase phase) {
    return switch (phase) {
      case LOCK -> lock;
      case LOG -> log;
      case BLOCKS -> blocks;
      case HOOKS -> hooks;
    };
  }

  /** Returns the bytes of the blocks that were read from files, as stored in the files. */
  public long diskBytes() {
    return diskBytes;
  }

  /** Returns how many blocks were found in the cache. */
  public long cachedBlocks() {
    return cachedBlocks;
  }

  /** Returns the bytes of the blocks that were found in the cache, as stored in the files. */
  public long cachedBytes() {
    return cachedBytes;
  }
}
