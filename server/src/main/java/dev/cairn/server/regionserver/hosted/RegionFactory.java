package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.region.RecoveredNonces;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;

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
   * Reads the indexes of a region's files, which makes a later {@link #prepare} faster. Changes
   * nothing, because another server may serve the region. Does nothing if there is nothing to read.
   */
  default void warmUp(RegionInfo info, TableSchema schema) throws IOException {}
}
