package dev.cairn.engine.explain;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.scan.CellOutcome;
import dev.cairn.engine.scan.ScanObserver;
import dev.cairn.engine.scan.ScanRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Explains row after row of a scan while it runs, with those that the scan passes over. */
final class RowsExplainer implements ScanObserver {
  /** How many rows in one place are explained to which the scan does not come. */
  private static final int UNREAD_ROWS_MAX = 100;

  private final ScanRequest request;
  private final CellComparator comparator;
  private final List<FamilyExplainer> families;
  private final int cellsMax;
  private final Deque<ExplainedRow> done = new ArrayDeque<>();
  private byte[] row = new byte[0];
  private RowAccount account = new RowAccount(0);
  private boolean filterEnded;
  private boolean rowsNotListed;

  /**
   * Creates an explainer.
   *
   * @param cellsMax how many cells of a row are listed
   */
  RowsExplainer(
      ScanRequest request,
      CellComparator comparator,
      List<FamilyExplainer> families,
      int cellsMax) {
    this.request = request;
    this.comparator = comparator;
    this.families = families;
    this.cellsMax = cellsMax;
  }

  /** Goes to the first row; before the scan is asked for anything. */
  void open() throws IOException {
    for (FamilyExplainer family : families) {
      family.walk().open(request);
    }
  }

  /** Returns the next row that is explained, if there already is one. */
  Optional<ExplainedRow> poll() {
    return Optional.ofNullable(done.poll());
  }

  /** The scan has no more rows; explains those behind the last one, unless the filter ended it. */
  void end() throws IOException {
    if (!filterEnded) {
      passRowsUntil(Optional.empty());
    }
  }

  boolean filterHasEnded() {
    return filterEnded;
  }

  boolean rowsNotListed() {
    return rowsNotListed;
  }

  @Override
  public void rowBegins(byte[] bytes, int length) {
    byte[] begun = Arrays.copyOf(bytes, length);
    try {
      passRowsUntil(Optional.of(begun));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start(begun);
  }

  @Override
  public void rowLeft(CellBuffer cells) {
    account.leave(cells);
  }

  @Override
  public void rowEnds(CellOutcome fate) {
    try {
      finish(fate == CellOutcome.RETURNED ? passedOver() : fate);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (fate != CellOutcome.RETURNED) {
      account.drop(fate);
    }
    done.add(account.row(row, true));
  }

  @Override
  public void filterEnded() {
    filterEnded = true;
  }

  private void start(byte[] begun) {
    row = begun;
    account = new RowAccount(cellsMax);
    for (FamilyExplainer family : families) {
      family.startRow(row, account);
    }
  }

  private void finish(CellOutcome rest) throws IOException {
    for (FamilyExplainer family : families) {
      family.endRow(rest);
    }
  }

  private CellOutcome passedOver() {
    return request.filter().isPresent() ? CellOutcome.FILTER_SKIPPED : CellOutcome.ROW_NOT_READ;
  }

  /** Explains the rows that lie before {@code begun}, to which the scan has not come. */
  private void passRowsUntil(Optional<byte[]> begun) throws IOException {
    for (int i = 0; ; i++) {
      Optional<byte[]> next = nextRow();
      if (next.isEmpty() || begun.isPresent() && !comesBefore(next.get(), begun.get())) {
        return;
      }
      if (i == UNREAD_ROWS_MAX) {
        rowsNotListed = true;
        if (begun.isPresent()) {
          for (FamilyExplainer family : families) {
            if (family.walk().cell() != null) {
              family.walk().skipTo(begun.get());
            }
          }
        }
        return;
      }
      start(next.get());
      finish(passedOver());
      done.add(account.row(row, false));
    }
  }

  private boolean comesBefore(byte[] a, byte[] b) {
    int order = comparator.compareRows(a, b);
    return request.reversed() ? order > 0 : order < 0;
  }

  /** Returns the next row within the scan's range of which any family has a cell. */
  private Optional<byte[]> nextRow() {
    Optional<byte[]> next = Optional.empty();
    for (FamilyExplainer family : families) {
      Cell cell = family.walk().cell();
      if (cell != null) {
        byte[] found = cell.row();
        if (next.isEmpty() || comesBefore(found, next.get())) {
          next = Optional.of(found);
        }
      }
    }
    return next.filter(this::isInRange);
  }

  private boolean isInRange(byte[] found) {
    byte[] stop = request.stopRow();
    if (stop.length == 0) {
      return true;
    }
    int order = comparator.compareRows(found, stop);
    return order == 0 ? request.includeStop() : request.reversed() == order > 0;
  }
}
