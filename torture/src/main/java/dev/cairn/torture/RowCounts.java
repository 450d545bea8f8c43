package dev.cairn.torture;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.StoreSource;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreView;
import dev.cairn.server.digest.DigestOptions;
import dev.cairn.server.digest.DigestedScan;
import dev.cairn.server.digest.RangeDigest;
import dev.cairn.torture.model.Difference;
import dev.cairn.torture.model.Query;
import dev.cairn.torture.model.Text;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Counts the rows of a region in several ways that share little code, and compares the numbers.
 *
 * @param region a region to which nothing is written meanwhile
 * @param random draws limits
 */
record RowCounts(HostedRegion region, RandomGenerator random) {
  /**
   * Compares the numbers of rows in the server's digests, in a scan that takes one row at a time,
   * in a scan with limits, and among the cells in memory and files.
   *
   * @param isPlain whether scans see each row that has a cell
   * @param hasExpired whether cells may have expired, which raw scans do not see
   * @return the number of rows
   */
  long check(boolean isPlain, boolean hasExpired) throws IOException {
    ScanRequest request = Query.ALL_VERSIONS.request();
    long single = oneByOne(request);
    compare("the scan in runs of rows", inRuns(request), single);
    compare("the digest", digested(request), single);
    if (isPlain) {
      compare("the cells in memory and files", stored().size(), single);
    } else if (!hasExpired) {
      long raw = oneByOne(Query.EVERYTHING.request());
      compare("the cells in memory and files, deleted or not,", stored().size(), raw);
    }
    return single;
  }

  private void compare(String way, long count, long expected) {
    if (count != expected) {
      throw new Difference(
          "%s: %s counts %d rows, the scan row by row %d"
              .formatted(region.region(), way, count, expected));
    }
  }

  private long oneByOne(ScanRequest request) throws IOException {
    long rows = 0;
    CellBuffer out = new CellBuffer();
    try (RegionRead read = region.region().read(request, ReadBudget.WHOLE_ROWS)) {
      while (read.next(out, ReadBudget.WHOLE_ROWS) != ScanProgress.END) {
        rows += out.isEmpty() ? 0 : 1;
        out.clear();
      }
    }
    return rows;
  }

  /** Counts the rows of a scan that returns several at once, limited by rows or by bytes. */
  private long inRuns(ScanRequest request) throws IOException {
    long bytes = random.nextBoolean() ? -1 : 1 + random.nextInt(2000);
    ReadBudget budget =
        new ReadBudget(
            1 + random.nextInt(random.nextBoolean() ? 5 : 1000),
            -1,
            bytes,
            Long.MAX_VALUE,
            false,
            ReadBudget.Waiting.FOR_DISK);
    long rows = 0;
    CellBuffer out = new CellBuffer();
    RowSizes sizes = new RowSizes();
    try (RegionRead read = region.region().read(request, budget)) {
      while (read.nextRows(out, sizes, budget) != ScanProgress.END) {
        rows += nonEmpty(sizes);
        out.clear();
        sizes.clear();
      }
    }
    return rows + nonEmpty(sizes);
  }

  private static long nonEmpty(RowSizes sizes) {
    long rows = 0;
    for (int row = 0; row < sizes.size(); row++) {
      rows += sizes.cells(row) > 0 ? 1 : 0;
    }
    return rows;
  }

  private long digested(ScanRequest request) throws IOException {
    DigestOptions options = new DigestOptions(1 + random.nextInt(1000), false, false);
    RangeDigest sum = RangeDigest.NONE;
    CellBuffer out = new CellBuffer();
    try (RegionRead read =
        new DigestedScan(region.region().read(request, ReadBudget.WHOLE_ROWS), options)) {
      while (read.next(out, ReadBudget.WHOLE_ROWS) != ScanProgress.END) {
        sum = sum.plus(RangeDigest.parse(out.get(0).value()));
        out.clear();
      }
    }
    return sum.rows();
  }

  /** Returns the rows of all cells in memory and in files, read past the region's readers. */
  private Set<String> stored() throws IOException {
    Set<String> rows = new HashSet<>();
    Region of = region.region();
    for (Store store : of.stores()) {
      StoreView view = store.pin();
      try {
        for (StoreSource.Holder holder : view.openAll()) {
          try (CellCursor cells = holder.cells()) {
            boolean on = cells.seek(Cell.firstOnRow(Bytes.EMPTY));
            while (on) {
              rows.add(Text.of(cells.cell().row()));
              on = cells.next();
            }
          }
        }
      } finally {
        view.release();
      }
    }
    return rows;
  }
}
