package dev.cairn.server.regionserver;

import dev.cairn.engine.region.PendingWrite;
import dev.cairn.engine.region.WriteBudget;
import dev.cairn.engine.region.WriteRequest;
import java.io.IOException;

/**
 * How calls write to one region. What stands before a region and looks at its writes is another one
 * of these, which passes them on. Thread-safe.
 */
@FunctionalInterface
public interface RegionWrites {
  /** As {@link dev.cairn.engine.region.Region#write}. */
  PendingWrite write(WriteRequest request, WriteBudget budget) throws IOException;
}
