package dev.cairn.torture.simulation;

import dev.cairn.engine.storage.Faults;
import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.ForwardingStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.StorageOperation;
import java.io.IOException;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A disk as one life of a process sees it. At a chosen operation the life ends: the operation is
 * not done, nor is any after it, and {@link #survivor} is what the next life finds. Thread-safe.
 */
final class SimulatedDisk extends ForwardingStorage {
  private final MemoryStorage memory;
  private final FaultyStorage storage;

  // Guarded by this.
  private long operations;
  private long endAt = Long.MAX_VALUE;
  private Crash crash = Crash.KILL;
  private RandomGenerator random;
  private Optional<MemoryStorage> survivor = Optional.empty();

  /** Creates the view of {@code memory}, on which what {@code faults} say goes wrong. */
  SimulatedDisk(MemoryStorage memory, Faults faults) {
    this(memory, new FaultyStorage(memory, faults));
  }

  private SimulatedDisk(MemoryStorage memory, FaultyStorage storage) {
    super(storage);
    this.memory = memory;
    this.storage = storage;
  }

  /** Limits the bytes that fit from now on. */
  void limitTo(long bytes) {
    storage.limitTo(bytes);
  }

  /** Returns the bytes that are taken. */
  long usedBytes() {
    return storage.usedBytes();
  }

  /** Makes the life end at the {@code n}-th next operation, 0 for the next one. */
  synchronized void endAfter(long n, Crash how, RandomGenerator chance) {
    endAt = operations + n;
    crash = how;
    random = chance;
  }

  /** Takes {@link #endAfter} back, if it has not happened. */
  synchronized void goOn() {
    endAt = Long.MAX_VALUE;
  }

  /**
   * Ends the life now, unless it has ended.
   *
   * @return what ended the life: {@code how}, or the crash that came before
   */
  synchronized Crash end(Crash how, RandomGenerator chance) {
    if (survivor.isEmpty()) {
      crash = how;
      survivor =
          Optional.of(how == Crash.KILL ? memory.afterKill(chance) : memory.afterPowerCut(chance));
    }
    return crash;
  }

  /** Tells whether the life has ended. */
  synchronized boolean hasEnded() {
    return survivor.isPresent();
  }

  /** Returns what the next life finds: what survived, or all if this one was ended in order. */
  synchronized MemoryStorage survivor() {
    return survivor.orElse(memory);
  }

  @Override
  protected synchronized void before(StorageOperation operation, String path) throws IOException {
    if (operations++ >= endAt) {
      end(crash, random);
    }
    if (survivor.isPresent()) {
      throw new MachineGoneException();
    }
  }
}
