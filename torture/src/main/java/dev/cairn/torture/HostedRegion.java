package dev.cairn.torture;

import dev.cairn.engine.region.Region;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.torture.model.TableModel;
import dev.cairn.torture.model.Text;

/**
 * A region that is open, and the model of its table.
 *
 * @param region the region
 * @param model its table
 */
record HostedRegion(Region region, TableModel model) {
  RegionInfo info() {
    return region.info();
  }

  String start() {
    return Text.of(info().startKey());
  }

  String end() {
    return Text.of(info().endKey());
  }

  boolean contains(String row) {
    return info().contains(Text.bytes(row));
  }
}
