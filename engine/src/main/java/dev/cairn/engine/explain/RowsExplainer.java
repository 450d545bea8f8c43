package dev.cairn.engine.explain;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.explain.Explanation.ExplainedRow;
import dev.cairn.engine.scan.CellOutcome;
import dev.cairn.engine.scan.IndexReport;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanObserver;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.StoreSource;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Explains the rows of a running scan, including rows that the scan skips. */
final class RowsExplainer implements ScanObserver {
  /** The most rows explained in one gap that the scan skips. */
  private static final int UNREAD_ROWS_MAX = 100;

  private final List<FamilyExplainer> families = new ArrayList<>();
  private final int cellsMax;
  private final Deque<ExplainedRow> done = new ArrayDeque<>();
  private byte[] row = new byte[0];
  private RowAccount account = new RowAccount(0);
  private ScanRequest request;
  private CellComparator comparator;
  private long readPoint;
  private long nowMillis;
  private boolean opened;
  private boolean filterEnded;
  private boolean rowsNotListed;
  private Optional<IndexReport> index = Optional.empty();

  /**
   * Creates an explainer.
   *
   * @param cellsMax how many cells of a row are listed
   */
  RowsExplainer(int cellsMax) {
    this.cellsMax = cellsMax;
  }

  @Override
  public void indexSought(IndexReport report) {
    index = Optional.of(report);
  }

  @Override
  public void begins(ScanRequest asked, CellComparator order, long visible, long now) {
    request = asked;
    comparator = order;
    readPoint = visible;
    nowMillis = now;
  }

  @Override
  public Family family(StoreSource source) {
    FamilyExplainer family = new FamilyExplainer(source, request, comparator, readPoint);
    families.add(family);
    return family;
  }

  /** Returns true, because the explanation names the source of each cell. */
  @Override
  public boolean needsSameSources() {
    return true;
  }

  /** Returns the next row that is explained, if there already is one. */
  Optional<ExplainedRow> poll() {
    return Optional.ofNullable(done.poll());
  }

  /**
   * Returns a report on {@code scan}, which has run for {@code nanos} nanoseconds so far, {@code
   * hookNanos} of them in hooks.
   */
  ScanReport report(RegionRead scan, long nanos, long hookNanos) {
    return new ScanReport(
        readPoint,
        nowMillis,
        families.stream().map(FamilyExplainer::report).toList(),
        scan.statistics(),
        nanos,
        hookNanos,
        filterEnded,
        rowsNotListed,
        index);
  }

  /** Closes the walks. */
  void close() {
    families.forEach(family -> family.walk().close());
  }

  @Override
  public void rowBegins(byte[] bytes, int length) throws IOException {
    byte[] begun = Arrays.copyOf(bytes, length);
    passRowsUntil(Optional.of(begun));
    start(begun);
  }

  @Override
  public void rowLeft(CellBuffer cells) {
    account.leave(cells);
  }

  @Override
  public void rowEnds(CellOutcome fate) throws IOException {
    finish(fate == CellOutcome.RETURNED ? passedOver() : fate);
    if (fate != CellOutcome.RETURNED) {
      account.drop(fate);
    }
    done.add(account.row(row, true));
  }

  @Override
  public void filterEnded() {
    filterEnded = true;
  }

  /** Explains the rows after the last one, unless the filter ended the scan. */
  @Override
  public void ends() throws IOException {
    if (!filterEnded) {
      passRowsUntil(Optional.empty());
    }
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
    if (!opened) {
      opened = true;
      for (FamilyExplainer family : families) {
        family.walk().open(request);
      }
    }
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
