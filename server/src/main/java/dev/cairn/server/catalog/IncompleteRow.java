package dev.cairn.server.catalog;

import java.util.List;
import java.util.Optional;

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
