package dev.cairn.tools.bulk;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** Reads the rows of a range, and tells a meter how far it is. For one thread. */
final class RangeScan implements AutoCloseable {
  private static final int ROWS_BETWEEN = 1000;

  private final RangeProgress progress;
  private final ResultScanner scanner;
  private long rows;

  /**
   * Opens a scan.
   *
   * @param table the caller closes it
   */
  RangeScan(Table table, Scan scan, RowRange range, Meter meter) throws IOException {
    this.progress = new RangeProgress(table, range, meter);
    this.scanner = table.getScanner(scan);
  }

  /** Returns the next row; empty at the end of the range. */
  Optional<Result> next() throws IOException {
    Result row = scanner.next();
    if (row == null) {
      progress.end(rows);
      rows = 0;
      return Optional.empty();
    }
    rows++;
    if (rows == ROWS_BETWEEN) {
      progress.add(rows, row.getRow());
      rows = 0;
    }
    return Optional.of(row);
  }

  @Override
  public void close() {
    scanner.close();
  }
}
