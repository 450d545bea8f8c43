package dev.cairn.interop.sidebyside;

import dev.cairn.torture.model.Query;
import dev.cairn.torture.model.Version;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.filter.Filter;

/**
 * Asks one of Apache's filters about row after row in the plainest way: about every cell that could
 * be part of the answer, with no seek and no cell passed over unseen.
 *
 * @param filter remembers what it has seen of this scan
 * @param query says how many versions are wanted of what the filter takes, and how many cells
 */
record FilteredRows(Filter filter, Query query) {
  /** Tells whether the scan is over. */
  boolean isOver() throws IOException {
    return filter.filterAllRemaining();
  }

  /**
   * Returns what is left of a row.
   *
   * @param candidates all that can be seen of it, down to the families' VERSIONS
   */
  List<Version> row(String row, List<Version> candidates) throws IOException {
    filter.reset();
    if (filter.filterRowKey(KeyValueOfRow.first(row))) {
      return List.of();
    }
    List<Cell> taken = new ArrayList<>();
    for (int from = 0; from < candidates.size(); ) {
      int to = from;
      while (to < candidates.size()
          && candidates.get(to).family().equals(candidates.get(from).family())) {
        to++;
      }
      takeOfFamily(row, candidates.subList(from, to), taken);
      from = to;
    }
    if (taken.isEmpty()) {
      return List.of();
    }
    if (filter.hasFilterRow()) {
      filter.filterRowCells(taken);
      if (filter.filterRow()) {
        return List.of();
      }
    } else if (filter.filterRow()) {
      return List.of();
    }
    return taken.stream().map(KeyValueOfRow::version).toList();
  }

  private void takeOfFamily(String row, List<Version> candidates, List<Cell> taken)
      throws IOException {
    Optional<Cell> hint = Optional.empty();
    String columnDone = null;
    String column = null;
    int versions = 0;
    int cells = 0;
    for (Version candidate : candidates) {
      if (filter.filterAllRemaining()) {
        return;
      }
      Cell cell = KeyValueOfRow.of(row, candidate);
      if (hint.isPresent() && CellComparator.getInstance().compare(cell, hint.get()) < 0
          || candidate.qualifier().equals(columnDone)) {
        continue;
      }
      hint = Optional.empty();
      if (!candidate.qualifier().equals(column)) {
        column = candidate.qualifier();
        versions = 0;
      }
      Filter.ReturnCode code = filter.filterCell(cell);
      boolean wanted = false;
      switch (code) {
        case INCLUDE -> wanted = true;
        case INCLUDE_AND_NEXT_COL -> {
          wanted = true;
          columnDone = column;
        }
        case NEXT_COL -> columnDone = column;
        case NEXT_ROW -> {
          return;
        }
        case SEEK_NEXT_USING_HINT -> hint = Optional.ofNullable(filter.getNextCellHint(cell));
        case INCLUDE_AND_SEEK_NEXT_ROW, SKIP -> wanted = code != Filter.ReturnCode.SKIP;
      }
      if (wanted) {
        versions += CellUtil.isPut(cell) ? 1 : 0;
        if (versions > query.maxVersions()) {
          columnDone = column;
          wanted = false;
        }
      }
      if (wanted) {
        cells++;
        if (cells > query.offset()) {
          taken.add(filter.transformCell(cell));
          if (query.limit() >= 0 && cells >= query.offset() + query.limit()) {
            return;
          }
        }
      }
      if (code == Filter.ReturnCode.INCLUDE_AND_SEEK_NEXT_ROW) {
        return;
      }
    }
  }
}
