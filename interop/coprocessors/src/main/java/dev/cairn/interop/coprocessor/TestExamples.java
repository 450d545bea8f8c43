package dev.cairn.interop.coprocessor;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.Export;
import org.apache.hadoop.hbase.coprocessor.example.BulkDeleteEndpoint;
import org.apache.hadoop.hbase.coprocessor.example.ExampleRegionObserverWithMetrics;
import org.apache.hadoop.hbase.coprocessor.example.RefreshHFilesEndpoint;
import org.apache.hadoop.hbase.coprocessor.example.RowCountEndpoint;
import org.apache.hadoop.hbase.coprocessor.example.ScanModifyingObserver;
import org.apache.hadoop.hbase.coprocessor.example.ValueRewritingObserver;
import org.apache.hadoop.hbase.coprocessor.example.WriteHeavyIncrementObserver;
import org.apache.hadoop.hbase.coprocessor.example.ZooKeeperScanPolicyObserver;
import org.apache.hadoop.hbase.coprocessor.example.generated.BulkDeleteProtos.BulkDeleteRequest;
import org.apache.hadoop.hbase.coprocessor.example.generated.BulkDeleteProtos.BulkDeleteRequest.DeleteType;
import org.apache.hadoop.hbase.coprocessor.example.generated.BulkDeleteProtos.BulkDeleteResponse;
import org.apache.hadoop.hbase.coprocessor.example.generated.BulkDeleteProtos.BulkDeleteService;
import org.apache.hadoop.hbase.coprocessor.example.generated.ExampleProtos.CountRequest;
import org.apache.hadoop.hbase.coprocessor.example.generated.ExampleProtos.CountResponse;
import org.apache.hadoop.hbase.coprocessor.example.generated.ExampleProtos.RowCountService;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils.BlockingRpcCallback;
import org.apache.hadoop.hbase.ipc.ServerRpcController;
import org.apache.hadoop.hbase.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.protobuf.generated.RefreshHFilesProtos.RefreshHFilesRequest;
import org.apache.hadoop.hbase.protobuf.generated.RefreshHFilesProtos.RefreshHFilesResponse;
import org.apache.hadoop.hbase.protobuf.generated.RefreshHFilesProtos.RefreshHFilesService;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TestName;

/** The coprocessors of hbase-examples, whose own tests are not published, and Export. */
@SuppressWarnings("deprecation") // the examples use the older messages
public final class TestExamples {
  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final int ROWS = 100;

  /** The name of the test is that of its table. */
  @Rule public final TestName name = new TestName();

  /** Starts the server. */
  @BeforeClass
  public static void start() throws Exception {
    UTIL.startMiniCluster(1);
  }

  /** Stops the server. */
  @AfterClass
  public static void stop() throws Exception {
    UTIL.shutdownMiniCluster();
  }

  /** Creates a table of two regions with rows 00 to 99. */
  private Table table(Class<?> coprocessor, int versions, Map<String, String> properties)
      throws IOException {
    Table created = empty(coprocessor, versions, properties);
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(new Put(row(i)).addColumn(F, Q, Bytes.toBytes("old")));
    }
    created.put(puts);
    return created;
  }

  private Table empty(Class<?> coprocessor, int versions, Map<String, String> properties)
      throws IOException {
    TableName table = TableName.valueOf(name.getMethodName());
    UTIL.getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(table)
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(versions).build())
                .setCoprocessor(
                    CoprocessorDescriptorBuilder.newBuilder(coprocessor.getName())
                        .setProperties(properties)
                        .build())
                .build(),
            new byte[][] {row(50)});
    return UTIL.getConnection().getTable(table);
  }

  private static byte[] row(int i) {
    return Bytes.toBytes(String.format("%02d", i));
  }

  private static int count(Table table) throws IOException {
    int count = 0;
    try (ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result ignored : scanner) {
        count++;
      }
    }
    return count;
  }

  @Test
  public void rowCount() throws Throwable {
    Table table = table(RowCountEndpoint.class, 1, Map.of());
    Map<byte[], Long> rows =
        table.coprocessorService(
            RowCountService.class,
            null,
            null,
            service -> {
              BlockingRpcCallback<CountResponse> answer = new BlockingRpcCallback<>();
              service.getRowCount(
                  new ServerRpcController(), CountRequest.getDefaultInstance(), answer);
              return answer.get().getCount();
            });
    assertEquals(2, rows.size());
    assertEquals(ROWS, rows.values().stream().mapToLong(Long::longValue).sum());
  }

  @Test
  public void bulkDelete() throws Throwable {
    Table table = table(BulkDeleteEndpoint.class, 1, Map.of());
    BulkDeleteRequest request =
        BulkDeleteRequest.newBuilder()
            .setScan(ProtobufUtil.toScan(new Scan().withStartRow(row(20)).withStopRow(row(80))))
            .setDeleteType(DeleteType.ROW)
            .setRowBatchSize(7)
            .build();
    Map<byte[], Long> deleted =
        table.coprocessorService(
            BulkDeleteService.class,
            row(20),
            row(80),
            service -> {
              BlockingRpcCallback<BulkDeleteResponse> answer = new BlockingRpcCallback<>();
              service.delete(new ServerRpcController(), request, answer);
              return answer.get().getRowsDeleted();
            });
    assertEquals(60, deleted.values().stream().mapToLong(Long::longValue).sum());
    assertEquals(ROWS - 60, count(table));
  }

  /** Cairn refreshes the files of replicas by itself. */
  @Test
  public void refreshHFilesIsRefusedByName() throws Throwable {
    Table table = table(RefreshHFilesEndpoint.class, 1, Map.of());
    try {
      table.coprocessorService(
          RefreshHFilesService.class,
          row(0),
          row(0),
          service -> {
            ServerRpcController controller = new ServerRpcController();
            BlockingRpcCallback<RefreshHFilesResponse> answer = new BlockingRpcCallback<>();
            service.refreshHFiles(
                controller, RefreshHFilesRequest.getDefaultInstance(), answer);
            controller.checkFailed();
            return answer.get();
          });
      fail("the files were refreshed");
    } catch (IOException e) {
      assertTrue(
          e.getMessage(),
          e.getMessage().contains("HStore.refreshStoreFiles is not served by Cairn"));
    }
  }

  @Test
  public void writeHeavyIncrement() throws Exception {
    Table table = empty(WriteHeavyIncrementObserver.class, 1, Map.of());
    byte[] row = Bytes.toBytes("x");
    for (int i = 1; i <= 10; i++) {
      table.increment(new Increment(row).addColumn(F, Q, i));
      if (i == 5) {
        UTIL.flush(table.getName());
      }
    }
    assertEquals(55, Bytes.toLong(table.get(new Get(row).addColumn(F, Q)).getValue(F, Q)));
    UTIL.flush(table.getName());
    UTIL.compact(table.getName(), true);
    assertEquals(55, Bytes.toLong(table.get(new Get(row).addColumn(F, Q)).getValue(F, Q)));
    try (ResultScanner scanner = table.getScanner(new Scan().withStartRow(row).addColumn(F, Q))) {
      assertEquals(55, Bytes.toLong(scanner.next().getValue(F, Q)));
    }
  }

  @Test
  public void valueRewriting() throws Exception {
    Table table =
        table(
            ValueRewritingObserver.class,
            1,
            Map.of(
                ValueRewritingObserver.ORIGINAL_VALUE_KEY, "old",
                ValueRewritingObserver.REPLACED_VALUE_KEY, "new"));
    UTIL.flush(table.getName());
    assertEquals("old", Bytes.toString(table.get(new Get(row(7))).getValue(F, Q)));
    UTIL.compact(table.getName(), true);
    assertEquals("new", Bytes.toString(table.get(new Get(row(7))).getValue(F, Q)));
  }

  @Test
  public void scanModifying() throws Exception {
    byte[] more = Bytes.toBytes("more");
    Table table =
        table(
            ScanModifyingObserver.class,
            1,
            Map.of(
                ScanModifyingObserver.FAMILY_TO_ADD_KEY, "f",
                ScanModifyingObserver.QUALIFIER_TO_ADD_KEY, "more"));
    table.put(new Put(row(0)).addColumn(F, more, more));
    try (ResultScanner scanner = table.getScanner(new Scan().addColumn(F, Q))) {
      assertArrayEquals(more, scanner.next().getValue(F, more));
    }
  }

  @Test
  public void zooKeeperScanPolicy() throws Exception {
    Configuration settings = UTIL.getConfiguration();
    String ensemble =
        settings.get("hbase.zookeeper.quorum")
            + ":"
            + settings.get("hbase.zookeeper.property.clientPort");
    Table table =
        table(
            ZooKeeperScanPolicyObserver.class,
            1,
            Map.of(ZooKeeperScanPolicyObserver.ZK_ENSEMBLE_KEY, ensemble));
    long now = System.currentTimeMillis();
    ZooKeeper zooKeeper = new ZooKeeper(ensemble, 30_000, event -> {});
    try {
      String path = "";
      for (String part : ZooKeeperScanPolicyObserver.NODE.substring(1).split("/")) {
        path += "/" + part;
        if (zooKeeper.exists(path, false) == null) {
          zooKeeper.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        }
      }
      zooKeeper.setData(path, Bytes.toBytes(now - 10_000), -1);
      byte[] saved = Bytes.toBytes("saved"); // older than the backup
      table.put(new Put(saved, now - 20_000).addColumn(F, Q, Q));
      byte[] row = Bytes.toBytes("x");
      table.put(new Put(row, now - 2000).addColumn(F, Q, Bytes.toBytes("1")));
      table.put(new Put(row, now - 1000).addColumn(F, Q, Bytes.toBytes("2")));
      UTIL.flush(table.getName());
      UTIL.compact(table.getName(), true);
      Result all = table.get(new Get(row).readAllVersions());
      assertTrue(table.get(new Get(saved)).isEmpty());
      assertEquals("2", Bytes.toString(all.getValue(F, Q)));
    } finally {
      zooKeeper.close();
    }
  }

  @Test
  public void metrics() throws Exception {
    Table table = table(ExampleRegionObserverWithMetrics.class, 1, Map.of());
    assertNull(table.get(new Get(Bytes.toBytes("none"))).getRow());
    assertEquals(ROWS, count(table));
  }

  @Test
  public void export() throws Throwable {
    Table table = table(Export.class, 1, Map.of());
    Path folder = new Path(UTIL.getDataTestDir("export").toUri());
    Map<byte[], Export.Response> answers =
        Export.run(UTIL.getConfiguration(), table.getName(), new Scan(), folder);
    assertEquals(2, answers.size());
    long rows = 0;
    long cells = 0;
    for (Export.Response answer : answers.values()) {
      rows += answer.getRowCount();
      cells += answer.getCellCount();
    }
    assertEquals(ROWS, rows);
    assertEquals(ROWS, cells);
    FileSystem files = folder.getFileSystem(UTIL.getConfiguration());
    assertEquals(2, files.listStatus(folder).length);
    for (Cell cell : table.get(new Get(row(1))).rawCells()) {
      assertArrayEquals(Bytes.toBytes("old"), CellUtil.cloneValue(cell));
    }
  }
}
