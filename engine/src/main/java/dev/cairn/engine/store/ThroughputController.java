package dev.cairn.engine.store;

import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;

/**
 * Limits the rate at which flushes or compactions write store files, so that requests do not notice
 * them. Thread-safe.
 */
public interface ThroughputController {
  /** No limit. */
  ThroughputController UNLIMITED =
      new ThroughputController() {
        @Override
        public void watch(DoubleSupplier pressure) {}

        @Override
        public void forget(DoubleSupplier pressure) {}

        @Override
        public Run begin() {
          return UNLIMITED_RUN;
        }
      };

  /** A flush or compaction that nothing holds up. */
  Run UNLIMITED_RUN =
      new Run() {
        @Override
        public void wrote(int bytes, BooleanSupplier hurry) {}

        @Override
        public void close() {}
      };

  /**
   * Takes a store, or whatever else is waiting for files to be written, into account.
   *
   * @param pressure how much it needs that: 0 not at all, 1 as much as can be before something has
   *     to wait for it, more if something does
   */
  void watch(DoubleSupplier pressure);

  /** Leaves out what is closed; nothing happens if it was never watched. */
  void forget(DoubleSupplier pressure);

  /** Begins a flush or a compaction. */
  Run begin();

  /** One flush or compaction; close it at its end. One thread. */
  interface Run extends AutoCloseable {
    /**
     * Takes note of a cell that was written, and returns when the next one may be, or soon after
     * {@code hurry} says that nothing is to be waited for any more.
     *
     * @param bytes the cell's length
     */
    void wrote(int bytes, BooleanSupplier hurry);

    @Override
    void close();
  }
}
