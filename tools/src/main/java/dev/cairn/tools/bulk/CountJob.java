package dev.cairn.tools.bulk;

import dev.cairn.server.digest.DigestOptions;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Counts rows, or adds up a column of counters. The servers do it if they can; otherwise they send
 * one key per row, or the counter.
 */
public final class CountJob {
  /** The number of rows that a server counts between two progress reports. */
  private static final int ROWS_TOLD = 10_000;

  private final TableSource table;
  private final Selection selection;
  private final Optional<Selection.Column> summed;
  private final int threads;
  private final Meter meter;
  private BigInteger sum = BigInteger.ZERO;

  /**
   * Creates a job.
   *
   * @param summed a column whose newest values, of 8 bytes, are added up
   */
  public CountJob(
      TableSource table,
      Selection selection,
      Optional<Selection.Column> summed,
      int threads,
      Meter meter) {
    this.table = table;
    this.selection = selection;
    this.summed = summed;
    this.threads = threads;
    this.meter = meter;
  }

  /**
   * The result of a count.
   *
   * @param rows with a selected cell
   * @param sum of the column, if one is summed
   */
  public record Counted(long rows, Optional<BigInteger> sum) {}

  /** Counts. */
  public Counted run() throws IOException {
    table.require();
    boolean inServers = DigestScan.isPossible(table);
    List<RowRange> ranges = table.ranges(selection.rows());
    meter.begin("count", ranges.size() * RangeProgress.UNITS, 0);
    List<Workers.Part> parts = new ArrayList<>();
    for (RowRange range : ranges) {
      parts.add(() -> count(range, inServers));
    }
    Workers.run(threads, parts);
    return new Counted(meter.rows(), summed.map(column -> sum));
  }

  private void count(RowRange range, boolean inServer) throws IOException {
    try (Table open = table.connection().getTable(table.name())) {
      if (inServer) {
        countInServer(open, range);
      } else {
        countHere(open, range);
      }
    }
  }

  private void countInServer(Table open, RowRange range) throws IOException {
    RangeProgress progress = new RangeProgress(open, range, meter);
    DigestOptions options = new DigestOptions(ROWS_TOLD, false, summed.isPresent());
    try (DigestScan digests = new DigestScan(open, firstCells(range), options)) {
      for (Optional<DigestScan.Part> part = digests.next();
          part.isPresent();
          part = digests.next()) {
        add(part.get().digest().sum());
        progress.add(part.get().digest().rows(), part.get().last());
      }
    }
    progress.end(0);
  }

  private void countHere(Table open, RowRange range) throws IOException {
    BigInteger total = BigInteger.ZERO;
    try (RangeScan scan = new RangeScan(open, keys(range), range, meter)) {
      for (Optional<Result> row = scan.next(); row.isPresent(); row = scan.next()) {
        if (summed.isPresent()) {
          total = total.add(BigInteger.valueOf(value(row.get())));
        }
      }
    }
    add(total);
  }

  private synchronized void add(BigInteger total) {
    sum = sum.add(total);
  }

  /** Returns a scan of the column, or of one cell per row unless a condition needs more. */
  private Scan firstCells(RowRange range) throws IOException {
    Scan scan = selection.scan(range);
    return summed.isPresent() || selection.filter().isPresent()
        ? scan
        : scan.setFilter(new FirstKeyOnlyFilter());
  }

  /** Like {@link #firstCells}, without values that are not needed. */
  private Scan keys(RowRange range) throws IOException {
    Scan scan = firstCells(range);
    return summed.isPresent()
        ? scan
        : scan.setFilter(new FilterList(scan.getFilter(), new KeyOnlyFilter()));
  }

  private long value(Result row) throws IOException {
    Selection.Column column = summed.orElseThrow();
    Cell cell = row.getColumnLatestCell(column.family(), column.qualifier().orElseThrow());
    if (cell == null) {
      return 0;
    }
    if (cell.getValueLength() != Long.BYTES) {
      throw new BulkException(
          "row "
              + Bytes.toStringBinary(row.getRow())
              + " has a value of "
              + cell.getValueLength()
              + " bytes; only counters, which have 8 bytes, can be summed");
    }
    return Bytes.toLong(cell.getValueArray(), cell.getValueOffset());
  }
}
