package dev.cairn.engine.time;

/** The time, so that tests and simulations can set it. Thread-safe. */
public interface Clock {
  /** The machine's clocks. */
  Clock SYSTEM =
      new Clock() {
        @Override
        public long currentTimeMillis() {
          return System.currentTimeMillis();
        }

        @Override
        public long nanoTime() {
          return System.nanoTime();
        }
      };

  /** Returns milliseconds since 1970; may jump. */
  long currentTimeMillis();

  /** Returns nanoseconds since some moment; never goes back. */
  long nanoTime();
}
