package dev.cairn.engine.region;

import dev.cairn.engine.region.flush.FlushScope;
import java.io.IOException;

/** The flushes of one region, and the memory that they free. Thread-safe. */
public interface FlushableRegion {
  /**
   * Writes the memstores of some families to store files. Returns false if there was nothing to
   * write.
   */
  boolean flush(FlushScope scope) throws IOException;

  /**
   * Tells whether a write waits so long for a file, by the clock or by the number of writes after
   * it, that {@link FlushScope#DUE} should be flushed.
   */
  boolean isFlushOverdue();

  /**
   * Tells whether the region has recovered edits in memory, which need a flush of all its families.
   */
  boolean hasRecoveredEdits();

  /** Returns the heap that the memstores take, bytes. Allocates nothing. */
  long memStoreBytes();

  /** Returns the bytes of flushed memstores that running reads still use. Allocates nothing. */
  long flushedBytesInUse();
}
