package dev.cairn.torture;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.torture.model.Difference;
import dev.cairn.torture.model.Query;
import dev.cairn.torture.model.Text;
import dev.cairn.torture.model.Version;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Runs queries and collects their rows. */
final class Scans {
  private Scans() {}

  /** Acts between two calls of a held read. */
  @FunctionalInterface
  interface Pause {
    /** Does nothing. */
    Pause NONE = (region, read) -> false;

    /**
     * Acts.
     *
     * @return whether to close the read, and go on with another one after the last row
     */
    boolean over(HostedRegion region, RegionRead read) throws IOException;
  }

  /**
   * Returns all rows of one region, in the order in which they came.
   *
   * @param budgets the budget of each call; the first one opens the read. If the first one must not
   *     wait, no call waits until the read is held or begun anew
   */
  static Map<String, List<Version>> rows(
      HostedRegion region, Query query, Supplier<ReadBudget> budgets) throws IOException {
    return rows(region, query, budgets, Pause.NONE);
  }

  /**
   * As {@link #rows(HostedRegion, Query, Supplier)}, with a pause after each call that ended
   * between two rows.
   */
  static Map<String, List<Version>> rows(
      HostedRegion region, Query query, Supplier<ReadBudget> budgets, Pause pause)
      throws IOException {
    Found found = new Found(query);
    Optional<Query> rest = Optional.of(query);
    while (rest.isPresent()) {
      rest = read(region, rest.get(), budgets, pause, found);
    }
    return found.rows;
  }

  /** Reads until the end or until a pause closes the read; returns the rest of the query. */
  private static Optional<Query> read(
      HostedRegion region, Query query, Supplier<ReadBudget> budgets, Pause pause, Found found)
      throws IOException {
    ScanRequest request = query.request();
    if (request.isSingleRow() && !region.info().contains(request.startRow())) {
      return Optional.empty();
    }
    ReadBudget first = budgets.get();
    Supplier<ReadBudget> next = first.isForWholeRow() ? () -> first : budgets;
    int before = found.cells;
    try (RegionRead read = region.region().read(request, first)) {
      Run run = new Run(region, read, query, next, pause, found);
      if (run.toEnd(first.mayWait())) {
        return run.rest;
      }
    }
    found.forgetAfter(before);
    try (RegionRead read = region.region().read(query.request(), patient(first))) {
      Run run = new Run(region, read, query, budgets, pause, found);
      if (!run.toEnd(true)) {
        throw new Difference(query + " gave up rather than wait, although it may wait");
      }
      return run.rest;
    }
  }

  /** The results of one or several reads of a query. */
  private static final class Found {
    final Map<String, List<Version>> rows = new LinkedHashMap<>();
    private final Query query;
    private String last = "";
    private int cells;

    Found(Query query) {
      this.query = query;
    }

    void add(Cell cell) {
      String row = Text.of(cell.row());
      if (!row.equals(last)
          && (rows.containsKey(row)
              || !last.isEmpty() && row.compareTo(last) < 0 != query.reversed())) {
        throw new Difference(query + ": row " + Text.show(row) + " came after " + Text.show(last));
      }
      last = row;
      cells++;
      rows.computeIfAbsent(row, any -> new ArrayList<>()).add(Version.found(cell));
    }

    /** Forgets all but the first cells. */
    void forgetAfter(int count) {
      int kept = 0;
      last = "";
      for (var row = rows.entrySet().iterator(); row.hasNext(); ) {
        var next = row.next();
        if (kept >= count) {
          row.remove();
        } else {
          kept += next.getValue().size();
          last = next.getKey();
        }
      }
      cells = kept;
    }
  }

  /** One read and its progress. */
  private static final class Run {
    private final HostedRegion region;
    private final RegionRead read;
    private final Query query;
    private final Supplier<ReadBudget> budgets;
    private final Pause pause;
    private final Found found;
    private Optional<Query> rest = Optional.empty();

    Run(
        HostedRegion region,
        RegionRead read,
        Query query,
        Supplier<ReadBudget> budgets,
        Pause pause,
        Found found) {
      this.region = region;
      this.read = read;
      this.query = query;
      this.budgets = budgets;
      this.pause = pause;
      this.found = found;
    }

    /**
     * Reads to the end, or until a pause closes the read. Returns false if the read ended because
     * it must not wait.
     */
    boolean toEnd(boolean mayWait) throws IOException {
      boolean waits = mayWait;
      CellBuffer out = new CellBuffer();
      RowSizes sizes = new RowSizes();
      while (true) {
        ReadBudget budget = budgets.get();
        if (!waits && budget.mayWait()) {
          waits = read.hold();
        }
        ReadBudget limits = waits ? patient(budget) : impatient(budget);
        ScanProgress progress =
            limits.maxRows() == 1 ? read.next(out, limits) : read.nextRows(out, sizes, limits);
        if (progress == ScanProgress.WOULD_WAIT) {
          return false;
        }
        checkSizes(out, sizes);
        for (int i = 0; i < out.size(); i++) {
          found.add(out.get(i));
        }
        if (progress == ScanProgress.END) {
          return true;
        }
        boolean betweenRows = progress == ScanProgress.ROW_DONE && !out.isEmpty();
        out.clear();
        sizes.clear();
        if (betweenRows && pause != Pause.NONE && !query.isOfOneRow() && read.hold()) {
          waits = true;
          if (pause.over(region, read) && !found.last.equals(query.stop())) {
            rest = Optional.of(query.after(found.last));
            return true;
          }
        }
      }
    }

    /** Checks that each of the rows that came together has its own cells, and only those. */
    private void checkSizes(CellBuffer out, RowSizes sizes) {
      int from = 0;
      for (int i = 0; i < sizes.size(); i++) {
        int to = from + sizes.cells(i);
        for (int cell = from; cell < to; cell++) {
          boolean same = Arrays.equals(out.get(cell).row(), out.get(from).row());
          if (!same) {
            throw new Difference(query + ": the cells of two rows came as one row");
          }
        }
        if (to < out.size() && to > from && Arrays.equals(out.get(to).row(), out.get(from).row())) {
          throw new Difference(query + ": a row came as two");
        }
        from = to;
      }
    }
  }

  private static ReadBudget patient(ReadBudget budget) {
    return waiting(budget, ReadBudget.Waiting.FOR_DISK);
  }

  private static ReadBudget impatient(ReadBudget budget) {
    return waiting(budget, ReadBudget.Waiting.NEVER);
  }

  private static ReadBudget waiting(ReadBudget budget, ReadBudget.Waiting waiting) {
    return new ReadBudget(
        Math.max(1, budget.maxRows()),
        budget.maxCells(),
        budget.maxBytes(),
        budget.deadlineNanos(),
        budget.midRow(),
        waiting);
  }

  /** Returns the cells of a row, without waiting if that is possible. */
  static CellBuffer row(Region region, ScanRequest request) throws IOException {
    CellBuffer out = new CellBuffer();
    ScanProgress progress = ScanProgress.WOULD_WAIT;
    ReadBudget atOnce = ReadBudget.rowAtOnce(-1, Long.MAX_VALUE);
    for (ReadBudget budget : List.of(atOnce, ReadBudget.WHOLE_ROWS)) {
      if (progress == ScanProgress.WOULD_WAIT) {
        try (RegionRead read = region.read(request, budget)) {
          progress = read.next(out, budget);
        }
      }
    }
    return out;
  }

  /** Returns the cells of a buffer. */
  static List<Version> cells(CellBuffer buffer) {
    List<Version> cells = new ArrayList<>();
    for (int i = 0; i < buffer.size(); i++) {
      cells.add(Version.found(buffer.get(i)));
    }
    return cells;
  }
}
