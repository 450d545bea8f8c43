package dev.cairn.engine.region.write;

import dev.cairn.engine.region.RegionContext;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Sees the writes of a region, and may change, extend or refuse them. A region has one hook ({@link
 * RegionContext#hooked}); a hook of several others calls each. Without a hook a write costs nothing
 * more. Thread-safe.
 *
 * <p>Writes of a region with a hook begin only on threads that may wait, never on network threads.
 */
public interface WriteHook {
  /** Sees nothing. */
  WriteHook NONE = request -> Optional.empty();

  /**
   * Sees a write under the locks of its rows, after its conditions have turned out to hold, and
   * before its cells have timestamps. The parts of a batch that share a log entry come together.
   * May wait, and may read the region, but must not write to it.
   *
   * <p>If the result has rows that are not locked, they are locked and this method is called again.
   * So it must have no side effects.
   *
   * <p>If a hook refuses a part of a batch that shares a log entry, it is asked again for each
   * mutation of that part alone, and the mutations that it does not refuse are applied.
   *
   * @param request the write; {@link WriteRequest#conditions} are those that hold
   * @return the mutations that are applied instead, together or not at all; empty to apply the
   *     request. They include those of the request that are to remain, may be of other rows of the
   *     region, and are checked as if a client had sent them
   * @throws IOException refuses the write, with this error
   */
  Optional<List<Mutation>> underLocks(WriteRequest request) throws IOException;

  /**
   * Learns that a write is acknowledged and visible to reads. The thread is the one that completes
   * the write; if that is the log's, it must not be kept waiting.
   *
   * @param written the request as it was applied
   */
  default void visible(WriteRequest written) {}
}
