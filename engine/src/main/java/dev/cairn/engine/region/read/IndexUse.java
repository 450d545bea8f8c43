package dev.cairn.engine.region.read;

import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.probe.IndexMark;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.scan.IndexHint;
import dev.cairn.engine.scan.RowSet;
import dev.cairn.engine.scan.ScanFilter;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.condition.RowCondition;
import dev.cairn.engine.store.Store;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Decides which reads of a region use its secondary indexes. A read that does visits only the rows
 * that the indexes give for the condition of its filter, and gives the same result. Thread-safe.
 */
final class IndexUse {
  private static final String DEPENDS =
      "the filter depends on the rows that it is shown, or its class is not known";
  private static final String NO_CONDITION =
      "the filter also accepts rows without certain values of an indexable column; for a"
          + " SingleColumnValueFilter, set filterIfMissing";

  private final boolean isIndexed;
  private final CellComparator comparator;
  private final IndexUses uses;

  IndexUse(List<Store> stores, CellComparator comparator) {
    this.isIndexed = stores.stream().anyMatch(Store::isIndexed);
    this.comparator = comparator;
    this.uses = new IndexUses(stores);
  }

  /** Returns the counts of uses since the region was opened. */
  IndexUses uses() {
    return uses;
  }

  /** Tells whether an index may serve a request. Reads nothing. */
  boolean mayServe(ScanRequest request) {
    return isAsked(request) && request.filter().get().mayMissRows();
  }

  private boolean isAsked(ScanRequest request) {
    return isIndexed
        && request.filter().isPresent()
        && !request.isSingleRow()
        && !request.raw()
        && request.index() != IndexHint.NEVER
        && request.hooks() == ScanRequest.Hooks.NONE;
  }

  /**
   * Searches the indexes for the rows that a read must visit.
   *
   * @param views pinned views
   * @return empty if it must visit all
   */
  Optional<RowSet> rows(ScanRequest request, ReadViews views) throws IOException {
    if (!isAsked(request)) {
      return Optional.empty();
    }
    ScanFilter filter = request.filter().get();
    if (!filter.mayMissRows()) {
      return tell(request, RowCondition.ANY, Optional.empty(), List.of(DEPENDS));
    }
    RowCondition condition = filter.rowCondition(request);
    if (condition.equals(RowCondition.ANY)) {
      return tell(request, condition, Optional.empty(), List.of(NO_CONDITION));
    }
    IndexSearch search = new IndexSearch(views, request, comparator);
    Optional<RowSet> rows = search.rows(condition);
    assert Marks.hit(rows.isPresent() ? IndexMark.TAKEN : IndexMark.NOT_TAKEN);
    assert Marks.hitIf(rows.isPresent() && rows.get().size() == 0, IndexMark.EMPTY);
    if (rows.isPresent()) {
      uses.count(condition);
    }
    return tell(request, condition, rows, search.reasons());
  }

  /** Tells the observer, and returns the rows, unless the observer must see all rows. */
  private static Optional<RowSet> tell(
      ScanRequest request, RowCondition condition, Optional<RowSet> rows, List<String> reasons) {
    if (request.observer().isEmpty()) {
      return rows;
    }
    request.observer().get().indexSought(condition, rows.map(RowSet::size), reasons);
    return request.observer().get().needsSameSources() ? Optional.empty() : rows;
  }
}
