package dev.cairn.torture;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cursor.NotInMemoryException;
import dev.cairn.engine.region.QuickScan;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionScanner;
import dev.cairn.engine.scan.ScanProgress;
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
   * Returns all rows of one region, in the order in which they came. The limits also toss the coin
   * whether to ask as those do who must not wait.
   */
  static Map<String, List<Version>> rows(
      HostedRegion region, Query query, Supplier<ReadBudget> limits) throws IOException {
    Optional<QuickScan> quick = limits.get().midRow() ? quick(region, query) : Optional.empty();
    if (quick.isPresent()) {
      try (QuickScan scan = quick.get()) {
        if (!limits.get().midRow() || scan.keep()) {
          return rows(scan, query, limits);
        }
      } catch (NotInMemoryException e) {
        // Is asked again, below.
      }
    }
    try (RegionScanner scanner = region.region().scan(query.request())) {
      return rows(scanner, query, limits);
    }
  }

  private static Optional<QuickScan> quick(HostedRegion region, Query query) throws IOException {
    try {
      return region.region().tryScan(query.request());
    } catch (NotInMemoryException e) {
      return Optional.empty();
    }
  }

  private static Map<String, List<Version>> rows(
      RegionScanner scanner, Query query, Supplier<ReadBudget> limits) throws IOException {
    Map<String, List<Version>> rows = new LinkedHashMap<>();
    CellBuffer out = new CellBuffer();
    String previous = "";
    while (scanner.next(out, limits.get()) != ScanProgress.END) {
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
    return rows;
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
