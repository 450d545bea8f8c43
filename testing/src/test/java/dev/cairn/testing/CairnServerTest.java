package dev.cairn.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.config.ConfigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CairnServerTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] F = bytes("f");

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void createTable(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build());
    }
  }

  private static void put(Connection connection, String row, String value) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      table.put(new Put(bytes(row)).addColumn(F, bytes("q"), bytes(value)));
    }
  }

  private static String get(Connection connection, String row) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      byte[] value = table.get(new Get(bytes(row))).getValue(F, bytes("q"));
      return value == null ? null : new String(value, StandardCharsets.UTF_8);
    }
  }

  @Test
  void tracesNeedLibrariesThatTheUserAdds() {
    CairnServer.Builder builder =
        CairnServer.builder().setting("cairn.tracing.endpoint", "http://127.0.0.1:4318");
    assertThatThrownBy(builder::start)
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll("cairn.tracing.endpoint", "opentelemetry-exporter-otlp");
  }

  @Test
  void severalServersRunSideBySide() throws IOException {
    try (CairnServer one = CairnServer.start();
        CairnServer two = CairnServer.start();
        Connection toOne = one.connect();
        Connection toTwo = two.connect()) {
      createTable(toOne);
      createTable(toTwo);
      put(toOne, "r", "one");
      put(toTwo, "r", "two");
      assertThat(get(toOne, "r")).isEqualTo("one");
      assertThat(get(toTwo, "r")).isEqualTo("two");
    }
  }

  @Test
  void refusesAFolderForLogsWhichItWouldNotUse() {
    assertThatThrownBy(() -> CairnServer.builder().setting("hbase.wal.dir", "/somewhere").start())
        .hasMessageContaining("hbase.wal.dir is not possible");
  }

  @Test
  void dataInMemoryOutlivesARestartAndACrash() throws IOException {
    try (CairnServer server = CairnServer.start()) {
      try (Connection connection = server.connect()) {
        createTable(connection);
        put(connection, "a", "1");
      }
      server.restart();
      try (Connection connection = server.connect()) {
        assertThat(get(connection, "a")).isEqualTo("1");
        put(connection, "b", "2");
      }
      server.crash();
      try (Connection connection = server.connect()) {
        assertThat(get(connection, "a")).isEqualTo("1");
        assertThat(get(connection, "b")).isEqualTo("2");
      }
    }
  }

  @Test
  void dataInAFolderIsFoundByTheNextServer(@TempDir Path folder) throws IOException {
    try (CairnServer server = CairnServer.builder().folder(folder).start();
        Connection connection = server.connect()) {
      createTable(connection);
      put(connection, "r", "v");
      assertThatThrownBy(() -> CairnServer.builder().folder(folder).start())
          .isInstanceOf(IOException.class);
    }
    try (CairnServer server = CairnServer.builder().folder(folder).start();
        Connection connection = server.connect()) {
      assertThat(get(connection, "r")).isEqualTo("v");
    }
  }
}
