package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.waiting.Eventually;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.UnknownScannerException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a client sees of leases and heartbeats, at a server that is short of patience. */
class ScannerLeaseTest {
  private static final TableName NAME = TableName.valueOf("leases");
  private static final byte[] F = toBytes("f");
  private static final int ROWS = 20;

  private static CairnServer server;
  private static Connection connection;
  private static Table table;

  @BeforeAll
  static void start() throws IOException {
    server = CairnServer.builder().setting("hbase.client.scanner.timeout.period", "400").start();
    Configuration patient = server.configuration();
    patient.set("hbase.client.scanner.timeout.period", "60000");
    connection = ConnectionFactory.createConnection(patient);
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build());
    }
    table = connection.getTable(NAME);
    for (int i = 0; i < ROWS; i++) {
      table.put(new Put(toBytes("r%02d".formatted(i))).addColumn(F, F, 1, F));
    }
  }

  @AfterAll
  static void stop() throws IOException {
    table.close();
    connection.close();
    server.close();
  }

  /** HBase's client opens another scanner behind the last row; its user notices nothing. */
  @Test
  void anExpiredScannerIsUnknownAndTheClientGoesOn() throws Exception {
    try (ResultScanner scanner = table.getScanner(new Scan().setCaching(2));
        RegionLocator locator = connection.getRegionLocator(NAME)) {
      List<String> rows = new ArrayList<>();
      for (Result result : scanner.next(3)) {
        rows.add(Bytes.toString(result.getRow()));
      }
      HRegionLocation region = locator.getRegionLocation(F);
      ClientService.BlockingInterface service =
          ((ClusterConnection) connection).getClient(region.getServerName());
      long younger =
          service
              .scan(
                  null,
                  RequestConverter.buildScanRequest(
                      region.getRegion().getRegionName(), new Scan(), 1, false))
              .getScannerId();
      Eventually.holds(() -> isUnknown(service, younger), "the lease has expired");
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        rows.add(Bytes.toString(result.getRow()));
      }
      assertThat(rows).hasSize(ROWS).isSorted().doesNotHaveDuplicates();
    }
  }

  /** Asks with a number that is out of order, which does not renew the lease. */
  private static boolean isUnknown(ClientService.BlockingInterface service, long scanner) {
    try {
      service.scan(
          null,
          ScanRequest.newBuilder()
              .setScannerId(scanner)
              .setNumberOfRows(1)
              .setNextCallSeq(99)
              .build());
      throw new AssertionError("a call that is out of order was answered");
    } catch (ServiceException e) {
      IOException told = ProtobufUtil.handleRemoteException(e);
      assertThat(told)
          .isInstanceOfAny(UnknownScannerException.class, OutOfOrderScannerNextException.class);
      return told instanceof UnknownScannerException;
    }
  }

  /** Takes its time for each row, and lets only the last one pass. */
  public static final class SlowFilter extends FilterBase {
    private static final Duration EACH_ROW = Duration.ofMillis(40);

    @Override
    public boolean filterRowKey(Cell cell) {
      long end = System.nanoTime() + EACH_ROW.toNanos();
      while (System.nanoTime() < end) {
        LockSupport.parkNanos(end - System.nanoTime());
      }
      return cell.getRowArray()[cell.getRowOffset() + cell.getRowLength() - 1] != '9'
          || cell.getRowArray()[cell.getRowOffset() + 1] != '1';
    }

    @Override
    public ReturnCode filterCell(Cell cell) {
      return ReturnCode.INCLUDE;
    }

    @Override
    public byte[] toByteArray() {
      return new byte[0];
    }

    /** Makes one of what {@link #toByteArray} gave. */
    public static SlowFilter parseFrom(byte[] bytes) {
      return new SlowFilter();
    }
  }

  /** A scan that finds nothing for longer than a lease lives by its heartbeats. */
  @Test
  void heartbeatsKeepASlowScanAliveAndTellHowFarItIs() throws IOException {
    Scan slow = new Scan().setFilter(new SlowFilter()).setCaching(1);
    try (ResultScanner scanner = table.getScanner(new Scan(slow))) {
      assertThat(Bytes.toString(scanner.next().getRow())).isEqualTo("r19");
      assertThat(scanner.next()).isNull();
    }
    List<String> cursors = new ArrayList<>();
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(slow.setNeedCursorResult(true))) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        if (result.isCursor()) {
          cursors.add(Bytes.toString(result.getCursor().getRow()));
        } else {
          rows.add(Bytes.toString(result.getRow()));
        }
      }
    }
    assertThat(rows).containsExactly("r19");
    assertThat(cursors).isNotEmpty().isSorted().doesNotHaveDuplicates();
  }
}
