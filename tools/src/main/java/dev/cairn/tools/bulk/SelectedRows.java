package dev.cairn.tools.bulk;

import dev.cairn.tools.bulk.format.CellMutations;
import dev.cairn.tools.bulk.format.RowFormat.RowReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.filter.Filter;

/**
 * Reads the selected cells of a file. Applies a filter to the cells of a row in their order, as a
 * region does. A filter keeps its state from row to row within the file. Not thread-safe.
 */
final class SelectedRows implements RowReader {
  private final RowReader all;
  private final FileSelection selection;
  private final Optional<Filter> filter;

  /**
   * Creates a reader.
   *
   * @param all reads the file; closed with this reader
   */
  SelectedRows(RowReader all, FileSelection selection) throws IOException {
    this.all = all;
    this.selection = selection;
    Optional<Selection.NamedFilter> named = selection.cells().filter();
    // Filters have a state, so each file gets its own.
    this.filter =
        named.isPresent()
            ? Optional.of(Selection.NamedFilter.parse(named.get().text()).filter())
            : Optional.empty();
  }

  @Override
  public boolean next(Consumer<Mutation> mutations) throws IOException {
    List<Cell> cells = new ArrayList<>();
    boolean found =
        all.next(
            mutation ->
                mutation
                    .getFamilyCellMap()
                    .values()
                    .forEach(
                        family ->
                            family.stream()
                                .filter(selection.cells()::contains)
                                .forEach(cells::add)));
    cells.sort(CellComparator.getInstance());
    List<Cell> selected = filter.isPresent() ? filtered(filter.get(), cells) : cells;
    CellMutations.of(selected.stream().map(selection.renames()::rename).toList(), mutations);
    return found;
  }

  private static List<Cell> filtered(Filter filter, List<Cell> cells) throws IOException {
    filter.reset();
    if (cells.isEmpty() || filter.filterRowKey(cells.get(0))) {
      return List.of();
    }
    List<Cell> kept = new ArrayList<>();
    int i = 0;
    while (i < cells.size()) {
      Cell cell = cells.get(i);
      Filter.ReturnCode code = filter.filterCell(cell);
      switch (code) {
        case INCLUDE, INCLUDE_AND_NEXT_COL, INCLUDE_AND_SEEK_NEXT_ROW ->
            kept.add(filter.transformCell(cell));
        default -> {}
      }
      i =
          switch (code) {
            case INCLUDE, SKIP -> i + 1;
            case INCLUDE_AND_NEXT_COL, NEXT_COL -> afterColumn(cells, i);
            case INCLUDE_AND_SEEK_NEXT_ROW, NEXT_ROW -> cells.size();
            case SEEK_NEXT_USING_HINT -> from(cells, i + 1, filter.getNextCellHint(cell));
          };
    }
    filter.filterRowCells(kept);
    return filter.hasFilterRow() && filter.filterRow() ? List.of() : kept;
  }

  private static int afterColumn(List<Cell> cells, int index) {
    int next = index + 1;
    while (next < cells.size() && CellUtil.matchingColumn(cells.get(index), cells.get(next))) {
      next++;
    }
    return next;
  }

  /** Returns the first index, at {@code index} or later, whose cell is not before {@code hint}. */
  private static int from(List<Cell> cells, int index, Cell hint) {
    int next = index;
    while (hint != null
        && next < cells.size()
        && CellComparator.getInstance().compare(cells.get(next), hint) < 0) {
      next++;
    }
    return next;
  }

  @Override
  public long position() throws IOException {
    return all.position();
  }

  @Override
  public void close() throws IOException {
    all.close();
  }
}
