package dev.cairn.bench.load;

import java.io.Closeable;
import java.io.IOException;

/** One thread's share of a workload. Used by that thread alone. */
interface Task extends Closeable {
  /**
   * Does the next operation.
   *
   * @return false if there was none left, and nothing was done
   */
  boolean next(Done done) throws IOException;
}
