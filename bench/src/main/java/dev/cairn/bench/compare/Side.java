package dev.cairn.bench.compare;

import dev.cairn.bench.load.Workload;
import java.io.IOException;
import java.nio.file.Path;

/** One of those that are compared: a server that can be started. */
public interface Side {
  /** Returns its name in results. */
  String name();

  /**
   * Starts it, and does not wait for it.
   *
   * @param folder where all its files go; it is empty
   * @param settings what all sides have in common
   */
  ServerProcess start(Path folder, ServerSettings settings) throws IOException;

  /** Tells whether it can do a workload. */
  default boolean does(Workload workload) {
    return true;
  }

  /** Tells whether it stores tables and rows. */
  default boolean keepsData() {
    return true;
  }
}
