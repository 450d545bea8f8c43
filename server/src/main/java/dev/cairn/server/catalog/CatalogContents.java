package dev.cairn.server.catalog;

import dev.cairn.engine.schema.TableName;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;

/**
 * The contents of {@code hbase:meta}.
 *
 * @param regions every region, in the order of the rows
 * @param tables every table's state, in the order of their names
 * @param incomplete the regions' rows that lack columns, those among them that are in {@code
 *     regions}, too
 */
public record CatalogContents(
    List<RegionRow> regions,
    Map<TableName, HBaseProtos.TableState.State> tables,
    List<IncompleteRow> incomplete) {
  /** Takes copies. */
  public CatalogContents {
    regions = List.copyOf(regions);
    tables = Collections.unmodifiableMap(new TreeMap<>(tables));
    incomplete = List.copyOf(incomplete);
  }

  /**
   * A region's row of {@code hbase:meta} that lacks columns, or has some that cannot be read.
   *
   * @param row the row, which is the region's name
   * @param region the region that the row still describes; empty if it describes none
   * @param columns the columns that are missing or unreadable, for example {@code info:state}
   */
  public record IncompleteRow(byte[] row, Optional<RegionRow> region, List<String> columns) {
    /** Takes a copy of the list. */
    public IncompleteRow {
      columns = List.copyOf(columns);
    }
  }
}
