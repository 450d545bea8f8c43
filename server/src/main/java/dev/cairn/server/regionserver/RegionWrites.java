package dev.cairn.server.regionserver;

import dev.cairn.engine.region.PendingWrite;
import dev.cairn.engine.region.WriteBudget;
import dev.cairn.engine.region.WriteRequest;
import java.io.IOException;

/**
 * Writes to one region for calls. Code that checks or watches the writes of a region wraps its
 * instance. Thread-safe.
 */
@FunctionalInterface
public interface RegionWrites {
  /** Begins a write, as {@link dev.cairn.engine.region.Region#write} does. */
  PendingWrite write(WriteRequest request, WriteBudget budget) throws IOException;
}
