package dev.cairn.interop.admin;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.storage.FaultRule;
import dev.cairn.engine.storage.Faults;
import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.time.Clock;
import dev.cairn.interop.waiting.Eventually;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The page of slow calls says where the time of each call went. */
@Timeout(120)
class SlowCallPhasesTest {
  private static final TableName TABLE = TableName.valueOf("phases");
  private static final byte[] FAMILY = toBytes("f");
  private static final byte[] QUALIFIER = toBytes("q");

  /** The shortest time of a write to the log while the disk is slow. */
  private static final long SLOW_WRITE_MILLIS = 20;

  private static final int WRITERS = 4;
  private static final int ROWS = 1_000;

  private static final Faults DISK = new Faults(new SplittableRandom(1));

  private static CairnServer server;
  private static Connection connection;

  @BeforeAll
  static void start() throws IOException {
    server =
        CairnServer.builder()
            .storage(new FaultyStorage(new MemoryStorage(Clock.SYSTEM), DISK))
            .setting("hbase.master.info.port", "0")
            .setting("hbase.regionserver.slowlog.buffer.enabled", "true")
            .setting("hbase.regionserver.slowlog.ringbuffer.size", "1000")
            .setting("hbase.ipc.warn.response.time", "0") // from 1 ms
            .setting("hbase.ipc.warn.response.size", "0") // each call with a response
            .start();
    connection = server.connect();
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setBlocksize(4096).build())
              .build());
    }
  }

  @AfterAll
  static void stop() throws IOException {
    connection.close();
    server.close();
  }

  @Test
  void aWriteThatWaitedForTheLogShowsIt() throws IOException {
    DISK.add(
        FaultRule.of(StorageOperation.WRITE, StorageOperation.SYNC)
            .onPath(SlowCallPhasesTest::isSlow));
    try (Table table = connection.getTable(TABLE)) {
      table.put(new Put(toBytes("a")).addColumn(FAMILY, QUALIFIER, QUALIFIER));
    } finally {
      DISK.heal();
    }
    JsonObject call = awaited(row -> row.get("method").getAsString().equals("Mutate"));
    assertThat(call.get("logMillis").getAsLong()).isGreaterThanOrEqualTo(SLOW_WRITE_MILLIS - 1);
    assertThat(call.get("lockMillis").getAsLong()).isZero();
    assertThat(call.get("blocksMillis").getAsLong()).isZero();
    assertPartsOfProcessing(call);
  }

  /** Delays an operation on the log. All operations succeed. */
  private static boolean isSlow(String path) {
    long begun = System.nanoTime();
    long nanos = TimeUnit.MILLISECONDS.toNanos(SLOW_WRITE_MILLIS);
    while (path.startsWith("WALs") && System.nanoTime() - begun < nanos) {
      LockSupport.parkNanos(nanos);
    }
    return false;
  }

  @Test
  void aWriteThatWaitedForARowLockShowsIt() throws Exception {
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        running.add(writers.submit(this::writeUntilOneWaits));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } finally {
      writers.shutdownNow();
    }
    JsonObject call = awaited(row -> has(row, "lockMillis"));
    assertThat(call.get("method").getAsString()).isEqualTo("Multi");
    assertPartsOfProcessing(call);
  }

  /** Writes the same rows as other threads, until the page shows a write that waited. */
  private Void writeUntilOneWaits() throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        puts.add(new Put(toBytes(i)).addColumn(FAMILY, QUALIFIER, QUALIFIER));
      }
      while (found(row -> has(row, "lockMillis")).isEmpty()) {
        table.put(puts);
      }
    }
    return null;
  }

  @Test
  void readsShowTheirBlocksFromDiskAndFromTheCache() throws IOException {
    try (Table table = connection.getTable(TABLE);
        Admin admin = connection.getAdmin()) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        puts.add(new Put(toBytes("scan" + i)).addColumn(FAMILY, QUALIFIER, new byte[4096]));
      }
      table.put(puts);
      admin.flush(TABLE);
      table.get(new Get(toBytes("scan5")).setCacheBlocks(false));
      JsonObject get =
          awaited(row -> row.get("method").getAsString().equals("Get") && has(row, "diskBlocks"));
      assertThat(get.get("diskBytes").getAsLong()).isGreaterThan(4096);
      scan(table);
      scan(table);
    }
    JsonObject scan =
        awaited(
            row ->
                row.get("method").getAsString().equals("Scan")
                    && row.get("cachedBlocks").getAsLong() >= 10
                    && row.get("diskBlocks").getAsLong() == 0);
    assertThat(scan.get("cachedBytes").getAsLong()).isGreaterThan(10 * 4096);
  }

  private static void scan(Table table) throws IOException {
    Scan wanted = new Scan().setStartStopRowForPrefixScan(toBytes("scan"));
    try (ResultScanner rows = table.getScanner(wanted)) {
      assertThat(rows).hasSize(10);
    }
  }

  private static boolean has(JsonObject row, String column) {
    return row.get(column).getAsLong() > 0;
  }

  private static void assertPartsOfProcessing(JsonObject call) {
    long parts = 0;
    for (String part :
        List.of("lockMillis", "logMillis", "blocksMillis", "hooksMillis", "restMillis")) {
      parts += call.get(part).getAsLong();
    }
    long processing = call.get("processingMillis").getAsLong();
    // Each part is rounded down.
    assertThat(parts).isBetween(processing - 5, processing);
  }

  private static JsonObject awaited(Predicate<JsonObject> wanted) {
    Eventually.holds(() -> found(wanted).isPresent(), "the call is recorded");
    try {
      return found(wanted).orElseThrow();
    } catch (IOException e) {
      throw new AssertionError("The page cannot be read", e);
    }
  }

  /** Finds a call to the test's table on the page. */
  private static Optional<JsonObject> found(Predicate<JsonObject> wanted) throws IOException {
    String address =
        "http://localhost:"
            + server.web().orElseThrow().getPort()
            + "/api/v1/slow?slow.size=1000&slow.filter="
            + TABLE;
    try (InputStream in = URI.create(address).toURL().openStream()) {
      JsonObject page =
          JsonParser.parseString(new String(in.readAllBytes(), StandardCharsets.UTF_8))
              .getAsJsonObject();
      for (JsonElement row : page.getAsJsonObject("slow").getAsJsonArray("rows")) {
        if (wanted.test(row.getAsJsonObject())) {
          return Optional.of(row.getAsJsonObject());
        }
      }
      return Optional.empty();
    }
  }
}
