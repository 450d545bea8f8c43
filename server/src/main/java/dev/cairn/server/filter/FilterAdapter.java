package dev.cairn.server.filter;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.ScanFilter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.Filter.ReturnCode;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;

/**
 * Lets the engine ask one of HBase's filters. One scan, one thread.
 *
 * <p>Filters that look at a cell and forget it share one view that follows the scan; those that may
 * remember a cell until the next call (a list with OR remembers where each of its filters went on,
 * and nobody knows what a user's filter does) get copies.
 *
 * <p>As in HBase, a filter that judges whole rows is asked only about rows of which something is
 * left.
 */
public final class FilterAdapter implements ScanFilter {
  private static final String STOCK_PACKAGE = "org.apache.hadoop.hbase.filter";

  private final Filter filter;
  private final boolean remembers;
  private final boolean judgesRows;
  private final CellView shared = CellView.over(new Cell());
  private CellView current = shared;
  private boolean rowIsEmpty;

  /**
   * Creates an adapter.
   *
   * @param filter the filter; it belongs to the adapter from now on
   * @param reversed whether the scan goes from row to row in descending order
   */
  public FilterAdapter(Filter filter, boolean reversed) {
    this.filter = filter;
    filter.setReversed(reversed);
    this.remembers = remembers(filter);
    this.judgesRows = filter.hasFilterRow();
  }

  @Override
  public void reset() throws IOException {
    rowIsEmpty = false;
    filter.reset();
  }

  @Override
  public boolean filterAllRemaining() throws IOException {
    return filter.filterAllRemaining();
  }

  @Override
  public boolean filterRowKey(Cell first) throws IOException {
    return filter.filterRowKey(shown(first));
  }

  @Override
  public Decision filterCell(Cell cell) throws IOException {
    ReturnCode code = filter.filterCell(shown(cell));
    return switch (code) {
      case INCLUDE -> Decision.INCLUDE;
      case INCLUDE_AND_NEXT_COL -> Decision.INCLUDE_AND_NEXT_COLUMN;
      case INCLUDE_AND_SEEK_NEXT_ROW -> Decision.INCLUDE_AND_NEXT_ROW;
      case SKIP -> Decision.SKIP;
      case NEXT_COL -> Decision.NEXT_COLUMN;
      case NEXT_ROW -> Decision.NEXT_ROW;
      case SEEK_NEXT_USING_HINT -> Decision.SEEK_TO_HINT;
    };
  }

  @Override
  public Cell transform(Cell cell) throws IOException {
    // The very view that filterCell was shown: lists insist on it.
    org.apache.hadoop.hbase.Cell made = filter.transformCell(current);
    return made == current ? cell : CellView.toEngine(made);
  }

  @Override
  public Optional<Cell> hint(Cell cell) throws IOException {
    org.apache.hadoop.hbase.Cell hint = filter.getNextCellHint(current);
    if (hint == null) {
      return Optional.empty();
    }
    Cell made = CellView.toEngine(hint);
    Cell key =
        Cell.of(
            made.row(),
            made.family(),
            made.qualifier(),
            made.timestamp(),
            made.typeCode(),
            new byte[0],
            new byte[0],
            Long.MAX_VALUE);
    return Optional.of(key);
  }

  @Override
  public boolean readsValues() {
    return FilteredValues.areRead(filter);
  }

  @Override
  public boolean needsWholeRow() {
    return judgesRows;
  }

  @Override
  public CellBuffer filterRowCells(CellBuffer row) throws IOException {
    rowIsEmpty = row.isEmpty();
    if (!judgesRows || rowIsEmpty) {
      return row;
    }
    List<org.apache.hadoop.hbase.Cell> cells = new ArrayList<>(row.size());
    for (int i = 0; i < row.size(); i++) {
      cells.add(CellView.over(row.get(i)));
    }
    List<org.apache.hadoop.hbase.Cell> before = List.copyOf(cells);
    filter.filterRowCells(cells);
    rowIsEmpty = cells.isEmpty();
    if (isSame(before, cells)) {
      return row;
    }
    CellBuffer kept = new CellBuffer(row.byteSize(), cells.size());
    for (org.apache.hadoop.hbase.Cell cell : cells) {
      kept.add(CellView.toEngine(cell));
    }
    return kept;
  }

  @Override
  public boolean filterRow() throws IOException {
    return rowIsEmpty || filter.filterRow();
  }

  @Override
  public boolean isFamilyEssential(byte[] family) throws IOException {
    return filter.isFamilyEssential(family);
  }

  private CellView shown(Cell cell) {
    current = remembers ? CellView.copyOf(cell) : shared.follow(cell);
    return current;
  }

  private static boolean remembers(Filter filter) {
    if (filter instanceof SkipFilter skip) {
      return remembers(skip.getFilter());
    }
    if (filter instanceof WhileMatchFilter whileMatch) {
      return remembers(whileMatch.getFilter());
    }
    if (filter instanceof FilterList list) {
      return list.getOperator() == FilterList.Operator.MUST_PASS_ONE
          || list.getFilters().stream().anyMatch(FilterAdapter::remembers);
    }
    return !filter.getClass().getPackageName().equals(STOCK_PACKAGE);
  }

  private static boolean isSame(
      List<org.apache.hadoop.hbase.Cell> before, List<org.apache.hadoop.hbase.Cell> after) {
    if (before.size() != after.size()) {
      return false;
    }
    for (int i = 0; i < before.size(); i++) {
      if (before.get(i) != after.get(i)) {
        return false;
      }
    }
    return true;
  }
}
