package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;

/**
 * A concern of the use of open regions, such as their sampling or a limit on their space. {@code
 * LayeredRegionFactory} has the list of all layers and lays them over each region that it prepares:
 * a new concern is one layer and one line there. Thread-safe.
 */
@FunctionalInterface
public interface RegionLayer {
  /**
   * Returns a region's parts with this layer over them, or {@code below} if it does not concern the
   * region.
   */
  RegionParts over(RegionInfo info, TableSchema schema, RegionParts below);
}
