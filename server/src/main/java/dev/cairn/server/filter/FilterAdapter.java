package dev.cairn.server.filter;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.ScanFilter;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.condition.RowCondition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.Filter.ReturnCode;

/**
 * Lets the engine ask one of HBase's filters. One scan, one thread.
 *
 * <p>Filters that look at a cell and forget it share one view that follows the scan; those that may
 * remember a cell until the next call get copies; {@link FilterTraits} knows which.
 *
 * <p>As in HBase, a filter that judges whole rows is asked only about rows with remaining cells,
 * and a scan in descending order does not follow hints within a row, because the cells that a
 * filter sees there decide its answers. It follows them only where that cannot make a difference.
 *
 * <p>Whatever a filter does wrong (it throws, or returns null) ends the request with a {@link
 * DoNotRetryIOException} that names the filter, because a retry would fail, too. {@link
 * EvaluationGuard} stops an evaluation that outlives its call.
 */
public final class FilterAdapter implements ScanFilter {
  private final Filter filter;
  private final boolean remembers;
  private final boolean seesDroppedRows;
  private final boolean judgesRows;
  private final boolean reversed;
  private final boolean hintsWithinRow;
  private final CellView shared = CellView.over(new Cell());
  private CellView current = shared;
  private Optional<Throwable> thrown = Optional.empty();
  private boolean rowIsEmpty;

  /**
   * Creates an adapter.
   *
   * @param filter the filter; it belongs to the adapter from now on
   * @param reversed whether the scan goes from row to row in descending order
   * @throws DoNotRetryIOException if the filter fails at once
   */
  public FilterAdapter(Filter filter, boolean reversed) throws DoNotRetryIOException {
    this.filter = filter;
    this.reversed = reversed;
    try {
      filter.setReversed(reversed);
      this.judgesRows = filter.hasFilterRow();
    } catch (RuntimeException | Error e) {
      throw failure("hasFilterRow", e);
    }
    this.remembers = FilterTraits.remembersCells(filter);
    this.seesDroppedRows = FilterTraits.learnsFromDroppedRows(filter);
    this.hintsWithinRow = !reversed || FilterTraits.hasPlainColumnHints(filter);
  }

  @Override
  public void reset() throws IOException {
    rowIsEmpty = false;
    try {
      filter.reset();
    } catch (IOException | RuntimeException | Error e) {
      throw failed("reset", e);
    }
  }

  @Override
  public boolean filterAllRemaining() throws IOException {
    try {
      return filter.filterAllRemaining();
    } catch (IOException | RuntimeException | Error e) {
      throw failed("filterAllRemaining", e);
    }
  }

  @Override
  public boolean filterRowKey(Cell first) throws IOException {
    try {
      return filter.filterRowKey(shown(first));
    } catch (IOException | RuntimeException | Error e) {
      throw failed("filterRowKey", e);
    }
  }

  @Override
  public boolean seesDroppedRows() {
    return seesDroppedRows;
  }

  @Override
  public Decision filterCell(Cell cell) throws IOException {
    ReturnCode code;
    try {
      code = filter.filterCell(shown(cell));
    } catch (IOException | RuntimeException | Error e) {
      throw failed("filterCell", e);
    }
    if (code == null) {
      throw returnedNull("filterCell");
    }
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
    try {
      // The very view that filterCell was shown: lists insist on it.
      org.apache.hadoop.hbase.Cell made = filter.transformCell(current);
      if (made == null) {
        throw returnedNull("transformCell");
      }
      return made == current ? cell : CellView.toEngine(made);
    } catch (IOException | RuntimeException | Error e) {
      throw failed("transformCell", e);
    }
  }

  @Override
  public Optional<Cell> hint(Cell cell) throws IOException {
    try {
      org.apache.hadoop.hbase.Cell hint = filter.getNextCellHint(current);
      if (hint == null) {
        return Optional.empty();
      }
      Cell key = CellView.toKey(hint);
      return hintsWithinRow || !key.sameRow(cell) ? Optional.of(key) : Optional.empty();
    } catch (IOException | RuntimeException | Error e) {
      throw failed("getNextCellHint", e);
    }
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
    try {
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
    } catch (IOException | RuntimeException | Error e) {
      throw failed("filterRowCells", e);
    }
  }

  @Override
  public boolean filterRow() throws IOException {
    try {
      return rowIsEmpty || filter.filterRow();
    } catch (IOException | RuntimeException | Error e) {
      throw failed("filterRow", e);
    }
  }

  @Override
  public boolean isFamilyEssential(byte[] family) throws IOException {
    try {
      return filter.isFamilyEssential(family);
    } catch (IOException | RuntimeException | Error e) {
      throw failed("isFamilyEssential", e);
    }
  }

  @Override
  public RowCondition rowCondition(ScanRequest request) {
    return FilterConditions.of(filter, request);
  }

  @Override
  public boolean mayMissRows() {
    return RowIndependence.mayMissRows(filter);
  }

  private CellView shown(Cell cell) {
    current = remembers ? CellView.copyOf(cell) : shared.follow(cell);
    return current;
  }

  private IOException failed(String method, Throwable failure) {
    if (failure instanceof EvaluationEndedException ended) {
      return ended.forClient(
          "The filter " + filter.getClass().getSimpleName() + " at the row " + current.rowText());
    }
    return failure(method, failure);
  }

  private DoNotRetryIOException failure(String method, Throwable failure) {
    if (failure instanceof OutOfMemoryError memory) {
      // Not the filter's doing alone, and for others to act on.
      throw memory;
    }
    if (failure instanceof DoNotRetryIOException told) {
      return told;
    }
    thrown = Optional.of(failure);
    return new DoNotRetryIOException(
        "The filter " + filter.getClass().getName() + " failed in " + method + ": " + failure,
        failure);
  }

  /** Returns what the filter last threw that clients get as the cause of another exception. */
  public Optional<Throwable> thrown() {
    return thrown;
  }

  private DoNotRetryIOException returnedNull(String method) {
    return new DoNotRetryIOException(
        "The filter " + filter.getClass().getName() + " returned null from " + method);
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
