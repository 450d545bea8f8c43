package dev.cairn.coprocessor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hook that does not return keeps its server from ending for a minute, and loses nothing. */
@Tag("long")
class StopTest {
  private static final byte[] F = Bytes.toBytes("f");

  @TempDir private Path folder;

  private static void put(Connection connection, TableName name, String row) throws IOException {
    try (Table table = connection.getTable(name)) {
      table.put(new Put(Bytes.toBytes(row)).addColumn(F, F, F));
    }
  }

  @Test
  void theServerEndsWithoutTheHook() throws Exception {
    TableName hangs = TableName.valueOf("hangs");
    TableName other = TableName.valueOf("other");
    Hanging.Place place = Hanging.of("hangs", "prePut");
    ExecutorService client = Executors.newSingleThreadExecutor();
    try (CairnServer server =
            CairnServer.builder()
                .folder(folder)
                .setting("hbase.client.retries.number", "1")
                .start();
        Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      for (TableName name : new TableName[] {hangs, other}) {
        TableDescriptorBuilder table =
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F));
        if (name.equals(hangs)) {
          table.setCoprocessor(Hanging.class.getName());
        }
        admin.createTable(table.build());
      }
      put(connection, other, "kept");
      client.execute(
          () -> {
            try {
              put(connection, hangs, "never");
            } catch (IOException e) {
              // The server has ended.
            }
          });
      await().atMost(1, TimeUnit.MINUTES).until(() -> place.hanging() == 1);
      connection.close();
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("could not be flushed");
    } finally {
      place.release();
      client.shutdownNow();
    }
    try (CairnServer server = CairnServer.builder().folder(folder).start();
        Connection connection = server.connect();
        Table table = connection.getTable(other)) {
      assertThat(table.exists(new Get(Bytes.toBytes("kept")))).isTrue();
    }
  }
}
