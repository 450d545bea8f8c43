package dev.cairn.torture;

import dev.cairn.engine.cell.CellBuffer;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Runs queries and collects their rows. */
final class Scans {
  private Scans() {}

  /**
   * Returns all rows of one region, in the order in which they came.
   *
   * @param budgets the budget of each call; the first one opens the read. If the first one must not
   *     wait, no call waits until the read is held or begun anew
   */
  static Map<String, List<Version>> rows(
      HostedRegion region, Query query, Supplier<ReadBudget> budgets) throws IOException {
    ScanRequest request = query.request();
    if (request.isSingleRow() && !region.info().contains(request.startRow())) {
      return Map.of();
    }
    ReadBudget first = budgets.get();
    Supplier<ReadBudget> next = first.isForWholeRow() ? () -> first : budgets;
    try (RegionRead read = region.region().read(request, first)) {
      Optional<Map<String, List<Version>>> rows = rows(read, query, first.mayWait(), next);
      if (rows.isPresent()) {
        return rows.get();
      }
    }
    try (RegionRead read = region.region().read(request, patient(first))) {
      return rows(read, query, true, budgets).orElseThrow();
    }
  }

  private static Optional<Map<String, List<Version>>> rows(
      RegionRead read, Query query, boolean mayWait, Supplier<ReadBudget> budgets)
      throws IOException {
    boolean waits = mayWait;
    Map<String, List<Version>> rows = new LinkedHashMap<>();
    CellBuffer out = new CellBuffer();
    String previous = "";
    while (true) {
      ReadBudget budget = budgets.get();
      if (!waits && budget.mayWait()) {
        waits = read.hold();
      }
      ScanProgress progress = read.next(out, waits ? patient(budget) : impatient(budget));
      if (progress == ScanProgress.WOULD_WAIT) {
        return Optional.empty();
      }
      if (progress == ScanProgress.END) {
        return Optional.of(rows);
      }
      for (int i = 0; i < out.size(); i++) {
        String row = Text.of(out.get(i).row());
        if (!row.equals(previous) && rows.containsKey(row)
            || !previous.isEmpty()
                && row.compareTo(previous) < 0 != query.reversed()
                && !row.equals(previous)) {
          throw new Difference(
              query + ": row " + Text.show(row) + " came after " + Text.show(previous));
        }
        previous = row;
        rows.computeIfAbsent(row, any -> new ArrayList<>()).add(Version.found(out.get(i)));
      }
      out.clear();
    }
  }

  private static ReadBudget patient(ReadBudget budget) {
    return new ReadBudget(
        budget.maxCells(), budget.maxBytes(), budget.deadlineNanos(), budget.midRow());
  }

  private static ReadBudget impatient(ReadBudget budget) {
    return new ReadBudget(
        budget.maxRows(),
        budget.maxCells(),
        budget.maxBytes(),
        budget.deadlineNanos(),
        budget.midRow(),
        ReadBudget.Waiting.NEVER);
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
