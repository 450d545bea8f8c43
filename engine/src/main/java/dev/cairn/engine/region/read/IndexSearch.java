package dev.cairn.engine.region.read;

import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.probe.IndexMark;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.scan.IndexHint;
import dev.cairn.engine.scan.IndexReport;
import dev.cairn.engine.scan.RowSet;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.condition.RowCondition;
import dev.cairn.engine.store.index.DamagedIndexException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Searches the indexes of views for the rows that may fulfil a condition. A search finds all rows
 * with a stored put that fulfils it; only the row tells whether a read sees that put.
 *
 * <p>First it finds the indexes of all columns of the condition, without the files that cannot have
 * a wanted value. If that excludes all rows, no index is searched. Of columns that a row must all
 * fulfil, the ones that seem to have the fewest entries are searched first, and the others only if
 * that is cheaper than reading the rows.
 *
 * <p>A search ends as soon as it has found more entries than are worth it, so it needs no
 * statistics: a row that is sought costs about as much as {@value #ROWS_PER_SEEK} rows that are
 * passed in order.
 *
 * <p>For one search; not thread-safe.
 */
final class IndexSearch {
  private static final Logger LOG = LoggerFactory.getLogger(IndexSearch.class);

  /** The rows that a scan passes in the time in which it seeks one. */
  private static final int ROWS_PER_SEEK = 20;

  /** The entries that the search of a column for a scan of all rows may find in any case. */
  private static final int ENTRIES_MIN = 1_000;

  /**
   * The entries of a column above which a search ends in any case: it takes some milliseconds, and
   * a scan that needs few rows would not win them back.
   */
  private static final int ENTRIES_MAX = 20_000;

  /** The entries of a column above which a search ends even with {@link IndexHint#ALWAYS}. */
  private static final int ENTRIES_ALWAYS_MAX = 1_000_000;

  /** If the range of a scan has fewer entries, reading all its rows is faster than a search. */
  private static final int SHORT_RANGE = 500;

  /** If a search has fewer candidates, it does not intersect them with those of other indexes. */
  private static final int FEW = 100;

  private final ReadViews views;
  private final ScanRequest request;
  private final CellComparator comparator;
  private final SearchBudget budget;
  private final ReadMetrics figures;
  private final boolean always;
  private final Set<String> reasons = new LinkedHashSet<>();
  private final List<ColumnSearch> columns = new ArrayList<>();

  /** A condition whose indexes are there. */
  private sealed interface Plan {
    /** Tells whether no row can fulfil it. */
    boolean isExcluded();

    /** Returns about how many entries its search finds. */
    double estimate();

    /** Returns how many entries are worth a search. */
    long entriesMax();
  }

  private record OfColumn(
      RowCondition.Column column, ColumnSearch search, double estimate, long entriesMax)
      implements Plan {
    @Override
    public boolean isExcluded() {
      return search.isExcluded();
    }
  }

  /** All parts, those with the fewest entries first. */
  private record OfAll(List<Plan> parts) implements Plan {
    @Override
    public boolean isExcluded() {
      return parts.stream().anyMatch(Plan::isExcluded);
    }

    @Override
    public double estimate() {
      return parts.get(0).estimate();
    }

    @Override
    public long entriesMax() {
      return parts.get(0).entriesMax();
    }
  }

  /** One of the parts. */
  private record OfAny(List<Plan> parts) implements Plan {
    @Override
    public boolean isExcluded() {
      return parts.stream().allMatch(Plan::isExcluded);
    }

    @Override
    public double estimate() {
      return parts.stream().mapToDouble(Plan::estimate).sum();
    }

    @Override
    public long entriesMax() {
      return parts.stream().mapToLong(Plan::entriesMax).max().orElse(0);
    }
  }

  /**
   * Creates a search.
   *
   * @param views pinned views of the stores that the read asks for
   * @param figures counts the blocks that the search reads
   */
  IndexSearch(
      ReadViews views,
      ScanRequest request,
      CellComparator comparator,
      SearchBudget budget,
      ReadMetrics figures) {
    this.views = views;
    this.request = request;
    this.comparator = comparator;
    this.budget = budget;
    this.figures = figures;
    this.always = request.index() == IndexHint.ALWAYS;
  }

  /**
   * Searches.
   *
   * @return the candidates within the request's rows; empty if no index serves, or if there are too
   *     many
   */
  Optional<RowSet> rows(RowCondition condition) throws IOException {
    Optional<Plan> plan = plan(condition);
    Optional<RowSet> rows =
        plan.isEmpty() ? Optional.empty() : search(plan.get(), plan.get().entriesMax());
    budget.end(rows.map(RowSet::heapBytes).orElse(0L));
    return rows;
  }

  /**
   * Tells whether the indexes exclude all rows, as far as memstores and Bloom filters tell.
   *
   * @throws dev.cairn.engine.cursor.FileAccess.NotInMemoryException if the read must not wait, but
   *     needs a block that is not in the cache
   */
  boolean excludes(RowCondition condition) throws IOException {
    Optional<Plan> plan = plan(condition);
    return plan.isPresent() && hasNone(plan.get());
  }

  private boolean hasNone(Plan plan) throws IOException {
    if (plan instanceof OfColumn column) {
      return column.search().hasNoEntry(figures, new FoundRows(request, comparator, budget, 0));
    }
    boolean all = plan instanceof OfAll;
    for (Plan part : all ? ((OfAll) plan).parts() : ((OfAny) plan).parts()) {
      if (hasNone(part) == all) {
        return all;
      }
    }
    return !all;
  }

  /** Returns why an index was not used, one sentence for each reason. */
  List<String> reasons() {
    return List.copyOf(reasons);
  }

  /** Returns the memstores and files whose indexes were found, by column. */
  List<IndexReport.Source> sources() {
    return columns.stream().flatMap(column -> column.report().stream()).toList();
  }

  private Optional<Plan> plan(RowCondition condition) throws IOException {
    if (condition instanceof RowCondition.Column column) {
      return planColumn(column);
    }
    if (condition instanceof RowCondition.All all) {
      List<Plan> parts = new ArrayList<>();
      for (RowCondition part : all.parts()) {
        plan(part).ifPresent(parts::add);
      }
      parts.sort(Comparator.comparingDouble(Plan::estimate));
      return parts.isEmpty() ? Optional.empty() : Optional.of(new OfAll(parts));
    }
    if (condition instanceof RowCondition.AnyOf any) {
      List<Plan> parts = new ArrayList<>();
      for (RowCondition part : any.parts()) {
        Optional<Plan> plan = plan(part);
        if (plan.isEmpty()) {
          return plan;
        }
        parts.add(plan.get());
      }
      return Optional.of(new OfAny(parts));
    }
    return Optional.empty();
  }

  private Optional<Plan> planColumn(RowCondition.Column column) throws IOException {
    int store = store(column.family());
    if (store < 0) {
      return refuse(column, "the scan does not read its family");
    }
    if (views.store(store).indexed().find(column.qualifier()) < 0) {
      return refuse(column, "the column has no index");
    }
    if (!views.store(store).hasOwnValues(views.get(store), request.mob())) {
      return refuse(column, "values of the family lie in MOB files");
    }
    try {
      ColumnSearch search =
          ColumnSearch.open(column, views.store(store), views.get(store), request, figures);
      columns.add(search);
      double rows = search.entriesInRange();
      budget.expectRows(rows);
      boolean isShort = !always && search.isPart() && rows < SHORT_RANGE;
      if (!isShort) {
        search.askBloomFilters(budget, figures);
      } else if (!search.isExcluded()) {
        return refuse(column, "the scan has few rows");
      }
      double most =
          Math.min(ENTRIES_MAX, Math.max(search.isPart() ? 1 : ENTRIES_MIN, rows / ROWS_PER_SEEK));
      return Optional.of(
          new OfColumn(
              column, search, search.estimate(), always ? ENTRIES_ALWAYS_MAX : (long) most));
    } catch (ColumnSearch.NoIndexException e) {
      return refuse(column, e.getMessage());
    } catch (DamagedIndexException e) {
      return refuseDamaged(column, e);
    }
  }

  private <T> Optional<T> refuseDamaged(RowCondition.Column column, DamagedIndexException e) {
    LOG.warn("{}. Scans do without it until a compaction has written the file anew", e.toString());
    return refuse(column, "its index in a store file is damaged");
  }

  /**
   * Searches.
   *
   * @param entriesMax the entries above which the search ends
   */
  private Optional<RowSet> search(Plan plan, long entriesMax) throws IOException {
    if (plan.isExcluded()) {
      assert Marks.hitIf(plan instanceof OfAll, IndexMark.ONE_EXCLUDES_ALL);
      return Optional.of(RowSet.of(comparator, List.of()));
    }
    if (plan instanceof OfColumn column) {
      return rowsOf(column, Math.min(entriesMax, column.entriesMax()));
    }
    return plan instanceof OfAll all
        ? intersection(all.parts(), entriesMax)
        : union(((OfAny) plan).parts(), entriesMax);
  }

  private Optional<RowSet> intersection(List<Plan> parts, long entriesMax) throws IOException {
    Optional<RowSet> rows = Optional.empty();
    for (Plan part : parts) {
      if (!budget.isLeft()) {
        return rows;
      }
      boolean isWorthIt =
          rows.isEmpty()
              || rows.get().size() >= FEW
                  && part.estimate() < (double) ROWS_PER_SEEK * rows.get().size();
      if (isWorthIt) {
        Optional<RowSet> others = search(part, entriesMax);
        if (rows.isPresent() && others.isPresent()) {
          RowSet both = rows.get().and(others.get());
          budget.drops(rows.get().heapBytes() + others.get().heapBytes() - both.heapBytes());
          rows = Optional.of(both);
        } else if (others.isPresent()) {
          rows = others;
        }
      }
    }
    return rows;
  }

  private Optional<RowSet> union(List<Plan> parts, long entriesMax) throws IOException {
    List<byte[]> rows = new ArrayList<>();
    long found = 0;
    for (Plan part : parts) {
      Optional<RowSet> some = search(part, entriesMax - found);
      if (some.isEmpty()) {
        return some;
      }
      rows.addAll(some.get().rows());
      found += some.get().size();
    }
    RowSet union = RowSet.of(comparator, rows);
    budget.drops(rows.stream().mapToLong(RowSet::heapBytes).sum() - union.heapBytes());
    return Optional.of(union);
  }

  private Optional<RowSet> rowsOf(OfColumn plan, long entriesMax) throws IOException {
    FoundRows found = new FoundRows(request, comparator, budget, entriesMax);
    try {
      return plan.search().search(figures, found)
          ? Optional.of(found.rows())
          : refuse(plan.column(), found.giveUp());
    } catch (DamagedIndexException e) {
      found.giveUp();
      return refuseDamaged(plan.column(), e);
    }
  }

  private <T> Optional<T> refuse(RowCondition.Column column, String reason) {
    reasons.add(ColumnSearch.name(column) + ": " + reason);
    return Optional.empty();
  }

  /** Returns the number of a family's store among those that are read, -1 if it is not. */
  private int store(byte[] family) {
    for (int i = 0; i < views.count(); i++) {
      if (Arrays.equals(views.store(i).family().name(), family)) {
        return i;
      }
    }
    return -1;
  }
}
