package dev.cairn.server.catalog;

import dev.cairn.engine.schema.TableName;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;

/**
 * All that {@code hbase:meta} says.
 *
 * @param regions every region, in the order of the rows
 * @param tables every table's state
 */
public record CatalogContents(
    List<RegionRow> regions, Map<TableName, HBaseProtos.TableState.State> tables) {
  /** Takes copies. */
  public CatalogContents {
    regions = List.copyOf(regions);
    tables = Map.copyOf(tables);
  }
}
