package dev.cairn.server.regionserver;

import dev.cairn.engine.region.RegionStatistics;
import java.io.IOException;
import java.util.Optional;

/** What the server does with a region besides answering calls. Thread-safe. */
public interface RegionUpkeep {
  /** Writes the memstores to store files; false if there was nothing to write. */
  boolean flush() throws IOException;

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
