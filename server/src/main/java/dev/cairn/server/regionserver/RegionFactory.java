package dev.cairn.server.regionserver;

import dev.cairn.engine.region.RecoveredNonces;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;

/** Opens regions of the engine. Thread-safe. */
@FunctionalInterface
public interface RegionFactory {
  /**
   * Opens a region, replaying what its store files do not hold yet; returns once it can serve.
   *
   * @param nonces is told which numbered changes were replayed
   */
  HostedRegion open(RegionInfo info, TableSchema schema, RecoveredNonces nonces) throws IOException;

  /**
   * Reads the indexes of a region's files, which makes a later {@link #open} faster. Changes
   * nothing, because another server may serve the region. Does nothing if there is nothing to read.
   */
  default void warmUp(RegionInfo info, TableSchema schema) throws IOException {}
}
