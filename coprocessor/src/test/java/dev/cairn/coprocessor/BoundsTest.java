package dev.cairn.coprocessor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Hooks that do not return hold up their own table: others open, flush, compact, and are read and
 * written, on a server with the fewest threads.
 */
@Timeout(300)
class BoundsTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final int HANDLERS = 4;

  private static CairnServer server;
  private static Connection connection;
  private static Admin admin;

  private final ExecutorService clients = Executors.newCachedThreadPool();
  private String test;

  @BeforeAll
  static void start() throws IOException {
    server =
        CairnServer.builder()
            .setting("hbase.client.retries.number", "1")
            .setting("hbase.table.sanity.checks", "false")
            .setting("hbase.hregion.memstore.flush.size", "65536")
            .setting("hbase.hregion.memstore.block.multiplier", "1000")
            .setting("hbase.hstore.flusher.count", "1")
            .setting("hbase.regionserver.executor.openregion.threads", "1")
            .setting("hbase.regionserver.executor.closeregion.threads", "1")
            .setting("hbase.regionserver.handler.count", String.valueOf(HANDLERS))
            .start();
    connection = server.connect();
    admin = connection.getAdmin();
  }

  @AfterAll
  static void stop() throws IOException {
    connection.close();
    server.close();
  }

  @BeforeEach
  void begin(TestInfo info) {
    test = info.getTestMethod().orElseThrow().getName() + info.getDisplayName().hashCode();
  }

  @AfterEach
  void end() {
    place().release();
    clients.shutdown();
  }

  private Hanging.Place place() {
    return Hanging.of(test + "-hangs", "");
  }

  private TableDescriptor hanging(String place) throws IOException {
    Hanging.of(test + "-hangs", place);
    return TableDescriptorBuilder.newBuilder(TableName.valueOf(test + "-hangs"))
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
        .setValue("hang", place)
        .setCoprocessor(Hanging.class.getName())
        .build();
  }

  private TableName createHanging(String place) throws IOException {
    admin.createTable(hanging(place));
    return TableName.valueOf(test + "-hangs");
  }

  private TableName createOther() throws IOException {
    TableName name = TableName.valueOf(test + "-other");
    admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .build());
    return name;
  }

  private static void put(TableName name, String row, int bytes) throws IOException {
    try (Table table = connection.getTable(name)) {
      table.put(new Put(Bytes.toBytes(row)).addColumn(F, F, new byte[bytes]));
    }
  }

  private static int files(TableName name) throws IOException {
    return admin.getClusterMetrics().getLiveServerMetrics().values().stream()
        .flatMap(one -> one.getRegionMetrics().values().stream())
        .filter(region -> region.getNameAsString().startsWith(name + ","))
        .mapToInt(region -> region.getStoreFileCount())
        .sum();
  }

  private void awaitHanging(int count) {
    await().atMost(1, TimeUnit.MINUTES).until(() -> place().hanging() == count);
  }

  /** Checks that a table without hooks works in all ways. */
  private static void assertWorks(TableName name) throws IOException {
    List<String> keys = List.of("a", "b");
    for (int i = 0; i < keys.size(); i++) {
      int flushed = i + 1;
      put(name, keys.get(i), 100_000); // above the size for a flush
      await().atMost(1, TimeUnit.MINUTES).until(() -> files(name) == flushed);
    }
    admin.majorCompact(name);
    await()
        .atMost(1, TimeUnit.MINUTES)
        .until(() -> admin.getCompactionState(name) == CompactionState.NONE && files(name) == 1);
    try (Table table = connection.getTable(name);
        ResultScanner rows = table.getScanner(new Scan())) {
      assertThat(table.get(new Get(Bytes.toBytes("a"))).isEmpty()).isFalse();
      int count = 0;
      for (Result row : rows) {
        count += row.isEmpty() ? 0 : 1;
      }
      assertThat(count).isEqualTo(2);
    }
  }

  @Test
  void aFlushThatDoesNotReturn() throws IOException {
    TableName hangs = createHanging("preFlush");
    put(hangs, "a", 100_000);
    awaitHanging(1);
    assertWorks(createOther());
    put(hangs, "b", 100_000);
  }

  @Test
  void aFlushOfACommandThatDoesNotReturn() throws Exception {
    TableName hangs = createHanging("preFlush");
    put(hangs, "a", 10);
    Future<?> flush =
        clients.submit(
            () -> {
              admin.flush(hangs);
              return null;
            });
    awaitHanging(1);
    assertWorks(createOther());
    place().release();
    flush.get(1, TimeUnit.MINUTES);
  }

  @Test
  void aCompactionThatDoesNotReturn() throws IOException {
    TableName hangs = createHanging("preCompact");
    put(hangs, "a", 10);
    admin.flush(hangs);
    admin.majorCompact(hangs);
    awaitHanging(1);
    assertWorks(createOther());
    put(hangs, "b", 10);
  }

  @Test
  void aStartThatDoesNotReturn() throws Exception {
    Future<Void> created = admin.createTableAsync(hanging("start"));
    awaitHanging(1);
    TableName other = createOther();
    assertWorks(other);
    admin.disableTable(other);
    admin.enableTable(other);
    assertThat(created.isDone()).isFalse();
    place().release();
    created.get(1, TimeUnit.MINUTES);
  }

  /** A call of a client that hangs. */
  @FunctionalInterface
  private interface Call {
    void run(Table table, byte[] row) throws IOException;
  }

  private static Call call(String place) {
    return switch (place) {
      case "prePut" -> (table, row) -> table.put(new Put(row).addColumn(F, F, row));
      case "preGetOp" -> (table, row) -> table.get(new Get(row));
      default ->
          (table, row) -> {
            try (ResultScanner rows = table.getScanner(new Scan())) {
              rows.next();
            }
          };
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"prePut", "preGetOp", "postScannerOpen"})
  void callsThatDoNotReturn(String place) throws Exception {
    TableName hangs = createHanging(place);
    TableName other = createOther();
    List<CompletableFuture<Void>> calls = new ArrayList<>();
    for (int i = 0; i < 3 * HANDLERS; i++) {
      byte[] row = Bytes.toBytes("r" + i);
      calls.add(
          CompletableFuture.runAsync(
              () -> {
                try (Table table = connection.getTable(hangs)) {
                  call(place).run(table, row);
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              },
              clients));
    }
    awaitHanging(HANDLERS - 1);
    await() // the others are refused
        .atMost(1, TimeUnit.MINUTES)
        .until(
            () ->
                calls.stream().filter(CompletableFuture::isCompletedExceptionally).count()
                    == 2 * HANDLERS + 1);
    assertWorks(other);
    assertThat(place().hanging()).isEqualTo(HANDLERS - 1);
    place().release();
    CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new))
        .handle((done, failure) -> null)
        .get(1, TimeUnit.MINUTES);
    call(place).run(connection.getTable(hangs), F); // the handlers are free again
  }
}
