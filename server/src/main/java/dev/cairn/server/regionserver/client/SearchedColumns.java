package dev.cairn.server.regionserver.client;

import dev.cairn.engine.index.TableIndexes;
import dev.cairn.engine.scan.IndexHint;
import dev.cairn.engine.scan.ScanFilter;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.condition.RowCondition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The columns of which an index could serve the filter of a scan, for the adviser. They are derived
 * when they are first asked for, which most scans never are. Used by one call at a time.
 */
final class SearchedColumns {
  /** The columns of a scan that uses no index. */
  static final SearchedColumns NONE = new SearchedColumns();

  /** A filter of more columns is left out: samples keep the names. */
  private static final int COLUMNS_MAX = 4;

  /** Longer names are left out. */
  private static final int NAME_LENGTH_MAX = 128;

  private final Optional<ScanRequest> request;
  private List<String> names;

  private SearchedColumns() {
    request = Optional.empty();
    names = List.of();
  }

  /** Creates the columns of a scan's filter. */
  SearchedColumns(ScanRequest request) {
    this.request = Optional.of(request);
  }

  /** Returns the columns, each as an index names it, in order. */
  List<String> names() {
    if (names == null) {
      names = List.copyOf(names(request.orElseThrow()));
    }
    return names;
  }

  private static Set<String> names(ScanRequest request) {
    if (request.filter().isEmpty()
        || request.isSingleRow()
        || request.raw()
        || request.index() == IndexHint.NEVER
        || request.hooks() != ScanRequest.Hooks.NONE) {
      return Set.of();
    }
    ScanFilter filter = request.filter().get();
    if (!filter.mayMissRows()) {
      return Set.of();
    }
    Set<String> names = new TreeSet<>();
    boolean isServed = collect(filter.rowCondition(request), names);
    boolean isShort =
        names.size() <= COLUMNS_MAX
            && names.stream().allMatch(name -> name.length() <= NAME_LENGTH_MAX);
    return isServed && isShort ? names : Set.of();
  }

  /** Adds the columns of a condition, and tells whether their indexes can serve it. */
  private static boolean collect(RowCondition condition, Set<String> names) {
    if (condition instanceof RowCondition.Column column) {
      if (column.values().isAll()) {
        return false; // An index would give all rows with the column, as for a regular expression.
      }
      names.add(new TableIndexes.Column(column.family(), column.qualifier()).toString());
      return true;
    }
    if (condition instanceof RowCondition.All all) {
      boolean isServed = false;
      for (RowCondition part : all.parts()) {
        isServed |= collect(part, names);
      }
      return isServed;
    }
    if (condition instanceof RowCondition.AnyOf any) {
      List<String> found = new ArrayList<>();
      for (RowCondition part : any.parts()) {
        Set<String> own = new TreeSet<>();
        if (!collect(part, own)) {
          return false; // Without one of the parts, the others give not all rows.
        }
        found.addAll(own);
      }
      names.addAll(found);
      return !found.isEmpty();
    }
    return false;
  }
}
