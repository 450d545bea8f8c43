package dev.cairn.bench.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.bench.limit.LimitServer.Transport;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The unmodified client does not notice that nobody stores anything. */
class LimitServerTest {
  private static final TableName TABLE = TableName.valueOf("usertable");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] FIELD = Bytes.toBytes("field0");
  private static final int ROWS = 5000; // several responses of two megabytes

  private static LimitServer server;
  private static Connection connection;

  @BeforeAll
  static void connect() throws IOException {
    server =
        new LimitServer(
            0,
            Transport.NIO,
            1,
            new CannedRows.Shape("f", 10, 100, ROWS),
            Executors.defaultThreadFactory());
    Configuration configuration = HBaseConfiguration.create();
    configuration.set(
        "hbase.client.registry.impl", "org.apache.hadoop.hbase.client.RpcConnectionRegistry");
    configuration.set("hbase.client.bootstrap.servers", server.address());
    configuration.setInt("hbase.client.retries.number", 0);
    connection = ConnectionFactory.createConnection(configuration);
  }

  @AfterAll
  static void close() throws IOException {
    connection.close();
    server.close();
  }

  @Test
  void anyTableCanBeCreated() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      assertThat(admin.tableExists(TABLE)).isFalse();
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
    }
  }

  @Test
  void whatIsNotCannedIsRefusedByName() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      assertThatThrownBy(() -> admin.listTableDescriptors())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("GetTableDescriptors");
    }
  }

  @Test
  void anyRowIsThere() throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      for (int i = 0; i < 200; i++) {
        Result row = table.get(new Get(Bytes.toBytes("row" + i)).addFamily(FAMILY));
        assertThat(row.size()).isEqualTo(10);
        assertThat(row.getValue(FAMILY, FIELD)).hasSize(100);
      }
    }
  }

  @Test
  void severalGetsInOneCallHaveARowEach() throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      Result[] rows =
          table.get(IntStream.range(0, 30).mapToObj(i -> new Get(Bytes.toBytes("r" + i))).toList());
      assertThat(rows).hasSize(30).allSatisfy(row -> assertThat(row.size()).isEqualTo(10));
    }
  }

  @Test
  void writesAreAcknowledged() throws Exception {
    try (Table table = connection.getTable(TABLE);
        BufferedMutator mutator = connection.getBufferedMutator(TABLE)) {
      List<Put> batch = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        Put put =
            new Put(Bytes.toBytes("row" + i)).addColumn(FAMILY, FIELD, Bytes.toBytes("value"));
        table.put(put);
        mutator.mutate(put);
        batch.add(put);
      }
      mutator.flush();
      table.delete(new Delete(Bytes.toBytes("row")));
      Object[] results = new Object[batch.size()];
      table.batch(batch, results);
      assertThat(results).allSatisfy(result -> assertThat(result).isInstanceOf(Result.class));
      assertThat(
              table
                  .checkAndMutate(
                      CheckAndMutate.newBuilder(Bytes.toBytes("row0"))
                          .ifNotExists(FAMILY, FIELD)
                          .build(batch.get(0)))
                  .isSuccess())
          .isTrue();
    }
  }

  @Test
  void aCounterIsWhatWasAddedToIt() throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      for (int i = 1; i <= 100; i++) {
        assertThat(table.incrementColumnValue(Bytes.toBytes("row"), FAMILY, FIELD, i)).isEqualTo(i);
      }
      Result appended =
          table.append(
              new Append(Bytes.toBytes("row")).addColumn(FAMILY, FIELD, Bytes.toBytes("end")));
      assertThat(appended.getValue(FAMILY, FIELD)).isEqualTo(Bytes.toBytes("end"));
    }
  }

  @Test
  void aScanOfTheTableReturnsAllItsRowsAndAShortOneItsLimit() throws IOException {
    assertThat(count(new Scan())).isEqualTo(ROWS);
    assertThat(count(new Scan().setCaching(100))).isEqualTo(ROWS);
    assertThat(count(new Scan().withStartRow(Bytes.toBytes("user5")).setLimit(50))).isEqualTo(50);
    assertThat(count(new Scan().setCaching(7).setLimit(50))).isEqualTo(50);
    assertThat(count(new Scan().setReversed(true).setLimit(3))).isEqualTo(3);
  }

  @Test
  void aScanThatIsClosedEarlyLeavesTheConnectionUsable() throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      for (int i = 0; i < 20; i++) {
        try (ResultScanner rows = table.getScanner(new Scan().setCaching(10))) {
          assertThat(rows.next(15)).hasSize(15);
        }
      }
    }
  }

  @Test
  void bytesThatAreNoRequestEndTheirConnectionAlone() throws IOException {
    int port = Integer.parseInt(server.address().substring(server.address().indexOf(':') + 1));
    for (byte[] bytes :
        List.of(
            Bytes.toBytes("GET / HTTP/1.1\r\n\r\n"),
            Bytes.add(Bytes.toBytes("HBas\0P"), Bytes.toBytes(-1)),
            Bytes.add(
                Bytes.toBytes("HBas\0P"),
                Bytes.add(Bytes.toBytes(0), Bytes.toBytes(3), new byte[] {99, 8, 1})))) {
      try (Socket socket = new Socket("127.0.0.1", port)) {
        socket.setSoTimeout(10_000);
        socket.getOutputStream().write(bytes);
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
      }
    }
    anyRowIsThere();
  }

  private static int count(Scan scan) throws IOException {
    int rows = 0;
    try (Table table = connection.getTable(TABLE);
        ResultScanner results = table.getScanner(scan)) {
      for (Result row : results) {
        assertThat(row.size()).isEqualTo(10);
        rows++;
      }
    }
    return rows;
  }
}
