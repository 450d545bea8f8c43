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
   * @param pressure the store's need: 0 none, 1 as much as possible before an operation has to wait
   *     for it, more if one does
   */
  void watch(DoubleSupplier pressure);

  /** Removes a closed store; does nothing if it was never watched. */
  void forget(DoubleSupplier pressure);

  /** Begins a flush or a compaction. */
  Run begin();

  /** One flush or compaction; close it at its end. One thread. */
  interface Run extends AutoCloseable {
    /**
     * Accounts for a written cell, and returns when the next one may be written, or soon after
     * {@code hurry} is true.
     *
     * @param bytes the cell's length
     */
    void wrote(int bytes, BooleanSupplier hurry);

    @Override
    void close();
  }
}
