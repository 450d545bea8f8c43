package dev.cairn.torture.cluster;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.scan.IndexHint;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Messages;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.CellProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Column;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Consistency;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Result;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;

/**
 * Scans a range of rows in one table, region by region, as Apache's client does: a scanner that is
 * lost is replaced by one that begins after the last row. For one thread at a time.
 */
final class ScanCalls {
  private static final String CLIENT = "ClientService";

  private final ClusterClient client;
  private final TableName table;

  ScanCalls(ClusterClient client, TableName table) {
    this.client = client;
    this.table = table;
  }

  /** Takes rows in the order of their arrival. */
  @FunctionalInterface
  interface RowConsumer {
    void accept(String row, long value);
  }

  /**
   * The paging of a scan.
   *
   * @param rowsMax the number of rows per call
   * @param bytesMax the approximate bytes of cells per call; 0 for no limit
   * @param oneFamily true to ask for the first family only
   * @param pauseNanos the time between two calls
   * @param replica the replica that is scanned, 0 for the region itself
   */
  record Paging(int rowsMax, int bytesMax, boolean oneFamily, long pauseNanos, int replica) {}

  /**
   * A range of numbers that a scan wants.
   *
   * @param from the least one; 0 for no limit
   * @param to the greatest one; the maximum for no limit
   * @param second whether the numbers of the second family decide, in place of those of the first
   * @param hint whether the scan uses indexes
   */
  record Numbers(long from, long to, boolean second, IndexHint hint) {
    /** All numbers, without a filter. */
    static final Numbers ALL = new Numbers(0, Long.MAX_VALUE, false, IndexHint.AUTO);

    Numbers with(IndexHint other) {
      return new Numbers(from, to, second, other);
    }

    boolean contains(long number) {
      return number >= from && number <= to;
    }

    void addTo(Scan.Builder scan) throws IOException {
      FilterList both = new FilterList();
      if (from > 0) {
        both.addFilter(filter(CompareOperator.GREATER_OR_EQUAL, from));
      }
      if (to < Long.MAX_VALUE) {
        both.addFilter(filter(CompareOperator.LESS_OR_EQUAL, to));
      }
      if (both.size() > 0) {
        scan.setFilter(ProtobufUtil.toFilter(both))
            .addAttribute(
                HBaseProtos.NameBytesPair.newBuilder()
                    .setName(IndexHint.ATTRIBUTE)
                    .setValue(Messages.wrap(Bytes.utf8(hint.name()))));
      }
    }

    private Filter filter(CompareOperator operator, long number) {
      SingleColumnValueFilter filter =
          new SingleColumnValueFilter(
              second ? RowCalls.SECOND_FAMILY : RowCalls.FAMILY,
              RowCalls.QUALIFIER,
              operator,
              Bytes.ofLong(number));
      filter.setFilterIfMissing(true);
      return filter;
    }
  }

  /** A range that was not yet scanned; it has no end if {@code stop} is empty. */
  private record Range(byte[] start, byte[] stop) {
    /** Returns the rest of the range after a region, empty if there is none. */
    Optional<Range> after(RegionInfo region) {
      byte[] end = region.endKey();
      boolean isLast = end.length == 0 || stop.length > 0 && Arrays.compareUnsigned(end, stop) >= 0;
      return isLast ? Optional.empty() : Optional.of(new Range(end, stop));
    }

    Range afterRow(byte[] row) {
      return new Range(Arrays.copyOf(row, row.length + 1), stop);
    }
  }

  /**
   * Scans rows.
   *
   * @param start the first row
   * @param stop the row after the last one; empty for no limit
   * @throws IOException if no scanner got to the end of the range in time; {@code rows} may have
   *     received some
   */
  void scan(String start, String stop, Paging paging, Duration patience, RowConsumer rows)
      throws IOException {
    scan(start, stop, paging, Numbers.ALL, patience, rows);
  }

  /** As the other method; only rows with numbers in a range. */
  void scan(
      String start, String stop, Paging paging, Numbers wanted, Duration patience, RowConsumer rows)
      throws IOException {
    long end = client.machine().clock().nanoTime() + patience.toNanos();
    Optional<Range> left = Optional.of(new Range(Bytes.utf8(start), Bytes.utf8(stop)));
    while (left.isPresent()) {
      long nanos = end - client.machine().clock().nanoTime();
      if (nanos <= 0) {
        throw new IOException("A scan has not ended within " + patience);
      }
      Range range = left.get();
      Duration time = Duration.ofNanos(nanos);
      ClusterClient.RegionCall<Optional<Range>> call =
          (region, server) -> new OneRegion(region, server, paging, wanted, rows).scan(range);
      left =
          paging.replica() == 0
              ? client.call(table, range.start(), time, call)
              : client.callReplica(table, range.start(), paging.replica(), time, call);
    }
  }

  private final class OneRegion {
    private final RegionInfo region;
    private final ClusterClient.ServerCaller server;
    private final Paging paging;
    private final Numbers wanted;
    private final RowConsumer rows;

    private OneRegion(
        RegionInfo region,
        ClusterClient.ServerCaller server,
        Paging paging,
        Numbers wanted,
        RowConsumer rows) {
      this.region = region;
      this.server = server;
      this.paging = paging;
      this.wanted = wanted;
      this.rows = rows;
    }

    /**
     * Scans a part of a range and returns the rest.
     *
     * @throws IOException if the region has no scanner for it
     */
    private Optional<Range> scan(Range range) throws IOException {
      ScanResponse response =
          call(
              ScanRequest.newBuilder()
                  .setRegion(Messages.specifier(region))
                  .setScan(scan(range.start(), range.stop()))
                  .setNumberOfRows(paging.rowsMax()));
      long scanner = response.getScannerId();
      Range left = range;
      for (long sequence = 0; ; sequence++) {
        for (Result result : response.getResultsList()) {
          CellProtos.Cell cell = result.getCell(0);
          left = left.afterRow(cell.getRow().toByteArray());
          rows.accept(
              cell.getRow().toStringUtf8(), RowCalls.number(result.getCellList()).orElseThrow());
        }
        if (!response.getMoreResults() || !response.getMoreResultsInRegion()) {
          break;
        }
        client.machine().clock().park(paging.pauseNanos());
        try {
          response =
              call(
                  ScanRequest.newBuilder()
                      .setScannerId(scanner)
                      .setNumberOfRows(paging.rowsMax())
                      .setNextCallSeq(sequence));
        } catch (IOException e) {
          return Optional.of(left);
        }
      }
      if (response.getMoreResults()) {
        close(scanner);
      }
      return range.after(region);
    }

    private Scan.Builder scan(byte[] start, byte[] stop) throws IOException {
      Scan.Builder scan =
          Scan.newBuilder().setStartRow(Messages.wrap(start)).setStopRow(Messages.wrap(stop));
      if (paging.replica() != 0) {
        scan.setConsistency(Consistency.TIMELINE);
      }
      if (paging.bytesMax() > 0) {
        scan.setMaxResultSize(paging.bytesMax());
      }
      if (paging.oneFamily()) {
        scan.addColumn(Column.newBuilder().setFamily(Messages.wrap(RowCalls.FAMILY)));
      }
      wanted.addTo(scan);
      return scan;
    }

    private void close(long scanner) {
      try {
        call(ScanRequest.newBuilder().setScannerId(scanner).setCloseScanner(true));
      } catch (IOException e) {
        // The scanner's lease ends.
      }
    }

    private ScanResponse call(ScanRequest.Builder request) throws IOException {
      return server.call(CLIENT, "Scan", request.build(), ScanResponse.getDefaultInstance());
    }
  }
}
