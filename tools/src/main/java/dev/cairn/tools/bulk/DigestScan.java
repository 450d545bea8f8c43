package dev.cairn.tools.bulk;

import dev.cairn.server.digest.DigestOptions;
import dev.cairn.server.digest.RangeDigest;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Lets the servers count, add up or hash the rows of a range. Apache HBase's servers cannot. For
 * one thread.
 */
final class DigestScan implements AutoCloseable {
  private static final DigestOptions ONE_ROW = new DigestOptions(1, false, false);

  private final ResultScanner scanner;

  /**
   * Opens a scan.
   *
   * @param scan of the rows; it is changed
   */
  DigestScan(Table table, Scan scan, DigestOptions options) throws IOException {
    scan.setAttribute(DigestOptions.ATTRIBUTE, options.toBytes());
    scan.setCaching(1); // A response has one digest.
    this.scanner = table.getScanner(scan);
  }

  /**
   * A part of the range.
   *
   * @param last its last row
   */
  record Part(byte[] last, RangeDigest digest) {}

  /** Tells whether the servers of a table give digests. True if the table has no rows. */
  static boolean isPossible(TableSource source) throws IOException {
    try (Table table = source.connection().getTable(source.name());
        DigestScan scan = new DigestScan(table, new Scan().setCacheBlocks(false), ONE_ROW)) {
      Result first = scan.scanner.next();
      return first == null || isDigest(first);
    }
  }

  private static boolean isDigest(Result result) {
    Cell[] cells = result.rawCells();
    return cells.length == 1
        && CellUtil.matchingFamily(cells[0], Bytes.toBytes(DigestOptions.FAMILY));
  }

  /** Returns the next part; empty at the end of the range. */
  Optional<Part> next() throws IOException {
    Result result = scanner.next();
    if (result == null) {
      return Optional.empty();
    }
    if (!isDigest(result)) {
      throw new BulkException(
          "a server gives no digests; all servers of a cluster must have the same version");
    }
    return Optional.of(
        new Part(result.getRow(), RangeDigest.parse(CellUtil.cloneValue(result.rawCells()[0]))));
  }

  /** Returns the digest of all parts that are left. */
  RangeDigest rest() throws IOException {
    RangeDigest all = RangeDigest.NONE;
    for (Optional<Part> part = next(); part.isPresent(); part = next()) {
      all = all.plus(part.get().digest());
    }
    return all;
  }

  @Override
  public void close() {
    scanner.close();
  }
}
