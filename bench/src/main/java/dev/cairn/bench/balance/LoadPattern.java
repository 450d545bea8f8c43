package dev.cairn.bench.balance;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Which rows a load reads or writes, one after the other. */
enum LoadPattern {
  /** Reads rows by Zipf's law, the first rows most: the first region has most of the load. */
  ZIPFIAN(false),
  /** Reads rows of a quarter of the table, which moves on by 20 rows a second. */
  MOVING(false),
  /** Writes rows after the last one: all of them go to the last region. */
  SEQUENTIAL(true);

  private static final double EXPONENT = 0.99; // YCSB's
  private static final long ROWS_PER_SECOND = 20;

  private final boolean isWrite;

  LoadPattern(boolean isWrite) {
    this.isWrite = isWrite;
  }

  boolean isWrite() {
    return isWrite;
  }

  /** Chooses rows. Thread-safe. */
  @FunctionalInterface
  interface Rows {
    /** Returns the number of the next row. */
    long next();
  }

  /**
   * Begins a load.
   *
   * @param rows the rows of the table
   */
  Rows begin(int rows) {
    return switch (this) {
      case ZIPFIAN -> zipfian(rows);
      case MOVING -> moving(rows);
      case SEQUENTIAL -> new AtomicLong(rows)::getAndIncrement;
    };
  }

  private static Rows zipfian(int rows) {
    double[] sums = new double[rows];
    double sum = 0;
    for (int i = 0; i < rows; i++) {
      sum += Math.pow(i + 1.0, -EXPONENT);
      sums[i] = sum;
    }
    double all = sum;
    return () -> {
      int at = Arrays.binarySearch(sums, ThreadLocalRandom.current().nextDouble() * all);
      return at < 0 ? -at - 1 : at;
    };
  }

  private static Rows moving(int rows) {
    long begun = System.nanoTime();
    return () -> {
      long place = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun) * ROWS_PER_SECOND;
      return (place + ThreadLocalRandom.current().nextInt(rows / 4)) % rows;
    };
  }
}
