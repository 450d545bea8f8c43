package dev.cairn.engine.store;

import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;

/** How fast compactions may write, so that requests do not notice them. Thread-safe. */
public interface CompactionPace {
  /** As fast as they can. */
  CompactionPace UNLIMITED =
      new CompactionPace() {
        @Override
        public void watch(DoubleSupplier pressure) {}

        @Override
        public void forget(DoubleSupplier pressure) {}

        @Override
        public Run begin() {
          return UNLIMITED_RUN;
        }
      };

  /** A compaction that nothing holds up. */
  Run UNLIMITED_RUN =
      new Run() {
        @Override
        public void wrote(int bytes, BooleanSupplier stop) {}

        @Override
        public void close() {}
      };

  /**
   * Takes a store into account.
   *
   * @param pressure how much the store needs a compaction: 0 not at all, 1 as much as can be before
   *     its flushes have to wait, more if they do
   */
  void watch(DoubleSupplier pressure);

  /** Leaves out a store that is closed; nothing happens if it was never watched. */
  void forget(DoubleSupplier pressure);

  /** Begins a compaction. */
  Run begin();

  /** One compaction; close it at its end. One thread. */
  interface Run extends AutoCloseable {
    /**
     * Takes note of a cell that was written, and returns when the next one may be, or soon after
     * {@code stop} says that there will be none.
     *
     * @param bytes the cell's length
     */
    void wrote(int bytes, BooleanSupplier stop);

    @Override
    void close();
  }
}
