package dev.cairn.engine.region.read;

import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.FileAccess.NotInMemoryException;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.probe.IndexMark;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.scan.IndexHint;
import dev.cairn.engine.scan.IndexReport;
import dev.cairn.engine.scan.RowSet;
import dev.cairn.engine.scan.ScanFilter;
import dev.cairn.engine.scan.ScanObserver;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.condition.RowCondition;
import dev.cairn.engine.store.Store;
import java.io.IOException;
import java.util.Arrays;
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

  /** The ranges of values of a column for which a network thread asks Bloom filters. */
  private static final int RANGES_AT_ONCE = 16;

  /** The columns for which it does. */
  private static final int COLUMNS_AT_ONCE = 4;

  private final List<Store> stores;
  private final boolean isIndexed;
  private final CellComparator comparator;
  private final IndexUses uses;

  IndexUse(List<Store> stores, CellComparator comparator) {
    this.stores = stores;
    this.isIndexed = stores.stream().anyMatch(Store::isIndexed);
    this.comparator = comparator;
    this.uses = new IndexUses(stores);
  }

  /** Returns the counts of uses since the region was opened. */
  IndexUses uses() {
    return uses;
  }

  /** Returns the condition for which a read of a request would ask an index. Reads nothing. */
  Optional<RowCondition> sought(ScanRequest request) {
    if (!mayAsk(request) || !request.filter().get().mayMissRows()) {
      return Optional.empty();
    }
    RowCondition condition = request.filter().get().rowCondition(request);
    return asks(request, condition) ? Optional.of(condition) : Optional.empty();
  }

  private boolean asks(ScanRequest request, RowCondition condition) {
    if (condition instanceof RowCondition.Column column) {
      return stores.stream()
          .anyMatch(
              store ->
                  Arrays.equals(store.family().name(), column.family())
                      && isRead(request, store)
                      && store.indexed().find(column.qualifier()) >= 0);
    }
    if (condition instanceof RowCondition.All all) {
      return all.parts().stream().anyMatch(part -> asks(request, part));
    }
    return condition instanceof RowCondition.AnyOf any
        && any.parts().stream().allMatch(part -> asks(request, part));
  }

  private static boolean isRead(ScanRequest request, Store store) {
    return request.families().isEmpty() || request.families().containsKey(store.family().name());
  }

  /** Tells whether a search is worth a try, as far as the request alone tells. */
  boolean mayAsk(ScanRequest request) {
    return isIndexed
        && request.filter().isPresent()
        && !request.isSingleRow()
        && !request.raw()
        && request.index() != IndexHint.NEVER
        && request.hooks() == ScanRequest.Hooks.NONE;
  }

  /** Returns the account that lends memory for the rows of searches. */
  MemoryAccount memory() {
    return stores.get(0).memory();
  }

  /**
   * Searches the indexes for the rows that a read must visit.
   *
   * @param request one that {@link #mayAsk}
   * @param views pinned views
   * @param budget of the search
   * @param figures counts the blocks that the search reads
   * @return empty if it must visit all
   */
  Optional<RowSet> rows(
      ScanRequest request, ReadViews views, SearchBudget budget, ReadMetrics figures)
      throws IOException {
    ScanFilter filter = request.filter().get();
    if (!filter.mayMissRows()) {
      return refuse(request, RowCondition.ANY, DEPENDS);
    }
    RowCondition condition = filter.rowCondition(request);
    if (condition.equals(RowCondition.ANY)) {
      return refuse(request, condition, NO_CONDITION);
    }
    IndexSearch search = new IndexSearch(views, request, comparator, budget, figures);
    Optional<RowSet> rows = search.rows(condition);
    assert Marks.hit(rows.isPresent() ? IndexMark.TAKEN : IndexMark.NOT_TAKEN);
    assert Marks.hitIf(rows.isPresent() && rows.get().size() == 0, IndexMark.EMPTY);
    if (rows.isPresent() && request.observer().isEmpty()) { // an explanation is no use
      uses.count(condition);
    }
    return request.observer().isEmpty()
        ? rows
        : tell(
            request.observer().get(),
            rows,
            new IndexReport(condition, rows.map(RowSet::size), search.reasons(), search.sources()));
  }

  private static Optional<RowSet> refuse(
      ScanRequest request, RowCondition condition, String reason) {
    request
        .observer()
        .ifPresent(
            observer ->
                observer.indexSought(
                    new IndexReport(condition, Optional.empty(), List.of(reason), List.of())));
    return Optional.empty();
  }

  /** Tells an observer, and returns the rows, unless it must see all rows. */
  private static Optional<RowSet> tell(
      ScanObserver observer, Optional<RowSet> rows, IndexReport report) {
    observer.indexSought(report);
    return observer.needsSameSources() ? Optional.empty() : rows;
  }

  /**
   * Tells whether the indexes exclude all rows of a request. Takes little time. Does not wait if
   * {@code figures} do not allow it.
   *
   * @param condition what {@link #sought} returns for the request
   * @param views views, pinned or not
   * @return false also if that cannot be told without waiting
   */
  boolean excludes(
      RowCondition condition,
      ScanRequest request,
      ReadViews views,
      SearchBudget budget,
      ReadMetrics figures)
      throws IOException {
    try {
      boolean excludes =
          isSmall(condition)
              && new IndexSearch(views, request, comparator, budget, figures).excludes(condition);
      assert Marks.hitIf(excludes, IndexMark.SKIPPED_AT_ONCE);
      if (excludes) {
        uses.count(condition);
      }
      return excludes;
    } catch (NotInMemoryException e) {
      return false;
    }
  }

  /** Tells whether a condition is about few columns and values. */
  private static boolean isSmall(RowCondition condition) {
    if (condition instanceof RowCondition.Column column) {
      return column.values().ranges().size() <= RANGES_AT_ONCE;
    }
    List<RowCondition> parts =
        condition instanceof RowCondition.All all
            ? all.parts()
            : condition instanceof RowCondition.AnyOf any ? any.parts() : List.of();
    return parts.size() <= COLUMNS_AT_ONCE
        && parts.stream().allMatch(part -> part instanceof RowCondition.Column && isSmall(part));
  }
}
