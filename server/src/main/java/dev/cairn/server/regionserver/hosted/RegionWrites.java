package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.region.write.PendingWrite;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteRequest;
import java.io.IOException;

/**
 * Writes to one region for calls. Code that checks or watches the writes of a region wraps its
 * instance. Thread-safe.
 */
@FunctionalInterface
public interface RegionWrites {
  /** Begins a write, as {@link dev.cairn.engine.region.Region#write} does. */
  PendingWrite write(WriteRequest request, WriteBudget budget) throws IOException;

  /** Tells whether these writes themselves check references to rows of other tables. */
  default boolean checksReferences() {
    return false;
  }
}
