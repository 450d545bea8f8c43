package dev.cairn.engine.region.read;

import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.scan.RowSet;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.store.index.FileIndex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Collects the rows that the search of a column finds within a request. Ends the search if it finds
 * too many entries, or if the budget of the whole search is used up. Not thread-safe.
 */
final class FoundRows implements FileIndex.Rows {
  private final ScanRequest request;
  private final CellComparator comparator;
  private final SearchBudget budget;
  private final long entriesMax;
  private final List<byte[]> rows = new ArrayList<>();
  private long entries;
  private long bytes;
  private boolean tooMany;

  /**
   * Creates an empty collection.
   *
   * @param entriesMax the entries above which the search ends
   */
  FoundRows(ScanRequest request, CellComparator comparator, SearchBudget budget, long entriesMax) {
    this.request = request;
    this.comparator = comparator;
    this.budget = budget;
    this.entriesMax = entriesMax;
  }

  @Override
  public boolean found(byte[] row) throws IOException {
    entries++;
    tooMany = entries > entriesMax;
    if (tooMany || !budget.found()) {
      return false;
    }
    if (!isFromStart(row) || !isBeforeStop(row)) {
      return true;
    }
    rows.add(row);
    bytes += RowSet.heapBytes(row);
    return budget.keeps(row);
  }

  @Override
  public boolean mayRead() throws IOException {
    return budget.mayRead();
  }

  /** Tells whether the search may look for another range in memory. */
  boolean maySeek() throws IOException {
    return budget.maySeek();
  }

  /** Returns how many entries were found so far. */
  long entries() {
    return entries;
  }

  /** Returns the rows. */
  RowSet rows() {
    RowSet set = RowSet.of(comparator, rows);
    budget.drops(bytes - set.heapBytes());
    return set;
  }

  /** Gives up the rows, and returns why the search has ended. */
  String giveUp() {
    budget.drops(bytes);
    rows.clear();
    Optional<String> overrun = budget.takeOverrun();
    return tooMany ? SearchBudget.TOO_MANY : overrun.orElse(SearchBudget.TOO_MANY);
  }

  private boolean isFromStart(byte[] row) {
    byte[] start = request.startRow();
    if (start.length == 0) {
      return true;
    }
    int order = comparator.compareRows(row, start);
    return order == 0 ? request.includeStart() : request.reversed() == order < 0;
  }

  private boolean isBeforeStop(byte[] row) {
    byte[] stop = request.stopRow();
    if (stop.length == 0) {
      return true;
    }
    int order = comparator.compareRows(row, stop);
    return order == 0 ? request.includeStop() : request.reversed() == order > 0;
  }
}
