package dev.cairn.torture.simulation;

import dev.cairn.engine.storage.Faults;
import dev.cairn.engine.storage.MemoryStorage;
import java.util.random.RandomGenerator;

/**
 * A simulated machine: a clock and a disk, which outlast the processes on it, and the life of the
 * process that is there now. For one thread.
 */
public final class Machine {
  private final SimulatedClock clock = new SimulatedClock(1_700_000_000_000L);
  private final Tally tally = new Tally();
  private final DuringCompaction duringCompaction = new DuringCompaction();
  private final EngineSettings settings;
  private final Faults faults;
  private final boolean concurrent;
  private MemoryStorage memory = new MemoryStorage(clock);
  private SimulatedDisk disk;
  private int life;
  private long files;

  /**
   * Creates a machine with an empty disk.
   *
   * @param chance decides about faults
   * @param concurrent whether several threads drive it; then its runs are not repeatable
   */
  public Machine(EngineSettings settings, RandomGenerator chance, boolean concurrent) {
    this.settings = settings;
    this.faults = new Faults(chance);
    this.concurrent = concurrent;
    newLife();
  }

  /** Begins another life on what the one before left. */
  public void newLife() {
    if (life > 0) {
      memory = disk.survivor();
    }
    life++;
    tally.newLife();
    disk = new SimulatedDisk(memory, faults);
  }

  /** Makes this life end at the {@code n}-th next operation on the disk, 0 for the next. */
  public void crashAfter(long n, Crash how, RandomGenerator chance) {
    disk.endAfter(n, how, chance);
  }

  /** Takes {@link #crashAfter} back, if it has not come to it. */
  public void goOn() {
    disk.goOn();
  }

  /**
   * Ends this life now, unless it has ended.
   *
   * @return what ended this life: {@code how}, or the crash that came before
   */
  public Crash crash(Crash how, RandomGenerator chance) {
    return disk.end(how, chance);
  }

  /** Tells whether this life has ended. */
  public boolean hasCrashed() {
    return disk.hasEnded();
  }

  /** Limits the further bytes that fit on the disk. */
  public void fill(long roomLeft) {
    disk.limitTo(disk.usedBytes() + roomLeft);
  }

  /** Removes all faults, makes room, and resumes a log that waited for room. */
  public void heal() {
    faults.heal();
    disk.limitTo(Long.MAX_VALUE);
    if (tally.isStalled()) {
      clock.settle(SimulatedClock.FAR_NANOS);
    }
  }

  /** Polls the log until it has nothing to do. */
  public void settle() {
    clock.settle(0);
  }

  /** Returns what goes wrong, to add to. */
  public Faults faults() {
    return faults;
  }

  /** Returns the machine's clock. */
  public SimulatedClock clock() {
    return clock;
  }

  /** Returns the events. */
  public Tally tally() {
    return tally;
  }

  /** Returns what does something in the middle of a compaction. */
  public DuringCompaction duringCompaction() {
    return duringCompaction;
  }

  boolean isConcurrent() {
    return concurrent;
  }

  EngineSettings settings() {
    return settings;
  }

  SimulatedDisk disk() {
    return disk;
  }

  int life() {
    return life;
  }

  /** Returns a name that no store file has yet; they come in no order. */
  synchronized String fileName() {
    files++;
    return "%016x%016x".formatted(files * 0x9E3779B97F4A7C15L, files);
  }
}
