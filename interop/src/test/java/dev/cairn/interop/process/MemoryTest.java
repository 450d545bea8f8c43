package dev.cairn.interop.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowTooBigException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The clients of a server with a heap of 256 MB demand more memory. The server refuses requests
 * that can never fit, lets others wait, and survives.
 */
@Timeout(180)
class MemoryTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final TableName TABLE = TableName.valueOf("t");
  private static final int MB = 1 << 20;

  @TempDir private Path directory;
  private ServerProcess server;

  @AfterEach
  void endServer() throws Exception {
    server.close();
  }

  @Test
  void clientsThatAskForTooMuchDoNotEndTheServer() throws Exception {
    server = new ServerProcess(directory).start();
    Configuration client = server.patientClient();
    client.setInt("hbase.client.keyvalue.maxsize", 0);
    client.setInt("hbase.client.retries.number", 1000);
    client.setInt("hbase.client.operation.timeout", 150_000);
    try (Connection connection = ConnectionFactory.createConnection(client);
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
      writeWideRow(table, 400_000);
      List<CompletableFuture<Void>> work = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        byte[] row = Bytes.toBytes("large" + i);
        work.add(later(() -> table.put(put(row, 4 * MB))));
      }
      for (int i = 0; i < 2; i++) {
        work.add(later(() -> scanWithoutLimits(table)));
        work.add(later(() -> assertThatTheWideRowIsTooBig(table)));
        work.add(later(() -> assertThatACellIsTooBig(table)));
      }
      work.add(
          later(
              () ->
                  assertThatThrownBy(() -> table.put(put(Bytes.toBytes("giant"), 100 * MB)))
                      .isInstanceOf(IOException.class)));
      work.forEach(CompletableFuture::join);
      for (int i = 0; i < 8; i++) {
        Result large = table.get(new Get(Bytes.toBytes("large" + i)));
        assertThat(large.getValue(FAMILY, FAMILY)).hasSize(4 * MB);
      }
    }
    assertThat(server.isRunning()).isTrue();
    assertThat(server.output()).doesNotContain("OutOfMemoryError");
  }

  private static void assertThatACellIsTooBig(Table table) {
    assertThatThrownBy(() -> table.put(put(Bytes.toBytes("too large"), 8 * MB)))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("hbase.server.keyvalue.maxsize");
  }

  private static void assertThatTheWideRowIsTooBig(Table table) {
    assertThatThrownBy(() -> table.get(new Get(Bytes.toBytes("wide"))))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(RowTooBigException.class.getName())
        .hasMessageContaining("hbase.table.max.rowsize");
  }

  private static void writeWideRow(Table table, int cells) throws IOException {
    int atOnce = 25_000;
    for (int first = 0; first < cells; first += atOnce) {
      Put put = new Put(Bytes.toBytes("wide"));
      for (int i = first; i < first + atOnce; i++) {
        put.addColumn(FAMILY, Bytes.toBytes(i), FAMILY);
      }
      table.put(put);
    }
  }

  private static void scanWithoutLimits(Table table) throws IOException {
    Scan scan =
        new Scan()
            .setCaching(Integer.MAX_VALUE)
            .setMaxResultSize(Long.MAX_VALUE)
            .setAllowPartialResults(true);
    try (ResultScanner results = table.getScanner(scan)) {
      long cells = 0;
      for (Result result : results) {
        cells += result.size();
      }
      assertThat(cells).isGreaterThanOrEqualTo(400_000);
    }
  }

  private static Put put(byte[] row, int bytes) {
    return new Put(row).addColumn(FAMILY, FAMILY, new byte[bytes]);
  }

  private interface Work {
    void run() throws IOException;
  }

  private static CompletableFuture<Void> later(Work work) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
                done.complete(null);
              } catch (Throwable e) {
                done.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return done;
  }
}
