package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.region.HotBlocks;
import dev.cairn.engine.region.RecoveredNonces;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.time.Duration;

/** Opens regions of the engine. Thread-safe. */
@FunctionalInterface
public interface RegionFactory {
  /**
   * Opens a region's store files. Changes nothing, because another server may own the region.
   *
   * @param nonces receives, from {@link PreparedRegion#begin}, the numbers of replayed changes
   */
  PreparedRegion prepare(RegionInfo info, TableSchema schema, RecoveredNonces nonces)
      throws IOException;

  /**
   * Opens a region's store files ahead, and reads their indexes, Bloom filters and hot blocks into
   * the cache. A later {@link #prepare} takes the files over. Changes nothing, because another
   * server may serve the region.
   *
   * @param timeout no further block is read after this time
   * @return drops what {@link #prepare} has not taken over
   */
  default WarmRegion warmUp(RegionInfo info, TableSchema schema, HotBlocks hot, Duration timeout)
      throws IOException {
    return () -> {};
  }

  /** The files of a region that are open ahead. */
  @FunctionalInterface
  interface WarmRegion extends AutoCloseable {
    /** Closes the files that no opening has taken over. */
    @Override
    void close();
  }
}
