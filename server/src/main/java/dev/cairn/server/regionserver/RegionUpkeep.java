package dev.cairn.server.regionserver;

import dev.cairn.engine.region.FlushScope;
import dev.cairn.engine.region.RegionStatistics;
import java.io.IOException;
import java.util.Optional;

/** What the server does with a region besides answering calls. Thread-safe. */
public interface RegionUpkeep {
  /**
   * Writes memstores to store files, of all families or of some; false if there was nothing to
   * write.
   */
  boolean flush(FlushScope scope) throws IOException;

  /**
   * Tells whether a write has waited so long that {@link FlushScope#DUE} should be flushed, by the
   * clock or by the number of writes after it.
   */
  default boolean isFlushOverdue() {
    return false;
  }

  /** Merges store files, all of them if {@code major}; returns once done. */
  void compact(boolean major) throws IOException;

  /** Closes the region, flushing it first unless {@code abort}. */
  void close(boolean abort) throws IOException;

  /** Returns why every call of the region is refused; empty if it can be used. */
  default Optional<String> refusal() {
    return Optional.empty();
  }

  /** Returns sizes and counts, cheaply. */
  RegionStatistics statistics();
}
