package dev.cairn.interop.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.probe.IndexMark;
import dev.cairn.engine.probe.Marks;
import dev.cairn.testing.CairnServer;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.ParseFilter;
import org.apache.hadoop.hbase.thrift.generated.ColumnDescriptor;
import org.apache.hadoop.hbase.thrift.generated.Hbase;
import org.apache.hadoop.hbase.thrift.generated.Mutation;
import org.apache.hadoop.hbase.thrift.generated.TRowResult;
import org.apache.hadoop.hbase.thrift.generated.TScan;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.transport.TSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients of both Thrift gateways: Apache's Java clients, and messages as Python clients send. */
@Timeout(120)
class ThriftGatewayTest {
  @TempDir static Path folder;

  private static CairnServer server;
  private static Connection connection;
  private static RunningGateway older;
  private static RunningGateway framed;

  @BeforeAll
  static void start() throws IOException {
    server = CairnServer.start();
    connection = server.connect();
    older = RunningGateway.start(folder, server.configuration(), "thrift");
    framed = RunningGateway.start(folder, server.configuration(), "thrift2", "-f");
  }

  private static final String FILTER =
      "SingleColumnValueFilter('f', 'q', =, 'binary:value7', true, true)";

  @AfterAll
  static void stop() throws IOException {
    older.close();
    framed.close();
    connection.close();
    server.close();
  }

  @Test
  void theOlderApiServesApachesJavaClient() throws Exception {
    try (TSocket socket = new TSocket("127.0.0.1", older.port())) {
      socket.open();
      Hbase.Client client = new Hbase.Client(new TBinaryProtocol(socket));
      client.createTable(bytes("older"), List.of(new ColumnDescriptor().setName(bytes("f:"))));
      assertThat(client.getTableNames()).contains(bytes("older"));
      for (int i = 0; i < 5; i++) {
        client.mutateRow(
            bytes("older"),
            bytes("row" + i),
            List.of(new Mutation(false, bytes("f:q"), bytes("value" + i), true)),
            Map.of());
      }
      List<TRowResult> row = client.getRow(bytes("older"), bytes("row3"), Map.of());
      assertThat(row.get(0).getColumns().get(bytes("f:q")).getValue())
          .isEqualTo(Bytes.toBytes("value3"));
      assertThat(client.atomicIncrement(bytes("older"), bytes("n"), bytes("f:n"), 7)).isEqualTo(7);
      int scanner =
          client.scannerOpenWithStop(
              bytes("older"), bytes("row1"), bytes("row4"), List.of(bytes("f")), Map.of());
      assertThat(client.scannerGetList(scanner, 10)).hasSize(3);
      client.scannerClose(scanner);
    }
    assertThat(value("older", "row4")).isEqualTo("value4");
  }

  @Test
  void theNewerApiServesApachesThriftConnection() throws Exception {
    TableName name = TableName.valueOf("newer");
    try (Connection thrift = ConnectionFactory.createConnection(thriftSettings(framed, true));
        var admin = thrift.getAdmin();
        Table table = thrift.getTable(name)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .build());
      for (int i = 0; i < 5; i++) {
        table.put(
            new Put(Bytes.toBytes("row" + i))
                .addColumn(Bytes.toBytes("f"), Bytes.toBytes("q"), Bytes.toBytes("value" + i)));
      }
      assertThat(value("newer", "row2")).isEqualTo("value2");
      table.delete(new Delete(Bytes.toBytes("row0")));
      List<String> rows = new ArrayList<>();
      for (Result result : table.getScanner(new Scan())) {
        rows.add(Bytes.toString(result.getRow()));
      }
      assertThat(rows).containsExactly("row1", "row2", "row3", "row4");
      assertThat(table.exists(new Get(Bytes.toBytes("row0")))).isFalse();
    }
  }

  @Test
  void theOlderApiScansByAnIndexAndItsHint() throws Exception {
    fillIndexed("older_index");
    try (TSocket socket = new TSocket("127.0.0.1", older.port())) {
      socket.open();
      Hbase.Client client = new Hbase.Client(new TBinaryProtocol(socket));
      TScan scan = new TScan().setFilterString(bytes(FILTER));
      for (String hint : List.of("always", "never")) {
        Marks.Watch<IndexMark> marks = Marks.watch(IndexMark.class);
        int scanner =
            client.scannerOpenWithScan(
                bytes("older_index"), scan, Map.of(bytes("cairn.index"), bytes(hint)));
        assertThat(client.scannerGetList(scanner, 10)).hasSize(1);
        client.scannerClose(scanner);
        assertThat(marks.count(IndexMark.TAKEN) > 0).isEqualTo(hint.equals("always"));
      }
    }
  }

  @Test
  void theNewerApiScansByAnIndexAndItsHint() throws Exception {
    fillIndexed("newer_index");
    try (Connection thrift = ConnectionFactory.createConnection(thriftSettings(framed, true));
        Table table = thrift.getTable(TableName.valueOf("newer_index"))) {
      Scan scan = new Scan().setFilter(new ParseFilter().parseFilterString(FILTER));
      Marks.Watch<IndexMark> marks = Marks.watch(IndexMark.class);
      scan.setAttribute("cairn.index", Bytes.toBytes("always"));
      assertThat(table.getScanner(scan)).hasSize(1);
      assertThat(marks.count(IndexMark.TAKEN)).isPositive();
      scan.setAttribute("cairn.index", Bytes.toBytes("sometimes"));
      assertThatThrownBy(() -> table.getScanner(scan).next())
          .hasMessageContaining("cairn.index must be auto, never or always, not sometimes");
    }
  }

  /** With frames, Apache's gateway takes the whole message for each name and value. */
  @Test
  @Tag("long")
  void theNewerApiWithoutFramesHasIndexesAndTheFormatOfKeysAsAttributes() throws Exception {
    TableName name = TableName.valueOf("plain_index");
    fillIndexed("plain_index");
    try (RunningGateway plain =
            RunningGateway.start(
                folder, server.configuration(), "thrift2", "-D", "hbase.thrift.info.port=-1");
        Connection thrift = ConnectionFactory.createConnection(thriftSettings(plain, false));
        var admin = thrift.getAdmin()) {
      TableDescriptor descriptor = admin.getDescriptor(name);
      assertThat(descriptor.getValue("cairn.index.i")).isEqualTo("f:q");
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(descriptor)
              .removeValue("cairn.index.i")
              .setValue("cairn.index.j", "f:other")
              .setValue("KEY_FORMAT", "id string")
              .build());
      try (var direct = connection.getAdmin()) {
        TableDescriptor changed = direct.getDescriptor(name);
        assertThat(changed.getValue("cairn.index.i")).isNull();
        assertThat(changed.getValue("cairn.index.j")).isEqualTo("f:other");
        assertThat(changed.getValue("KEY_FORMAT")).isEqualTo("id string");
      }
      assertThatThrownBy(
              () ->
                  admin.modifyTable(
                      TableDescriptorBuilder.newBuilder(descriptor)
                          .setValue("KEY_FORMAT", "id strnig")
                          .build()))
          .hasMessageContaining("KEY_FORMAT of table plain_index: position 3");
    }
  }

  /** Creates a table with an index of f:q, and writes ten rows. */
  private static void fillIndexed(String name) throws IOException {
    try (var admin = connection.getAdmin();
        Table table = connection.getTable(TableName.valueOf(name))) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .setValue("cairn.index.i", "f:q")
              .build());
      for (int i = 0; i < 10; i++) {
        table.put(
            new Put(Bytes.toBytes("row" + i))
                .addColumn(Bytes.toBytes("f"), Bytes.toBytes("q"), Bytes.toBytes("value" + i)));
      }
    }
  }

  private static Configuration thriftSettings(RunningGateway gateway, boolean isFramed) {
    Configuration settings = new Configuration();
    settings.set(
        "hbase.client.connection.impl", "org.apache.hadoop.hbase.thrift2.client.ThriftConnection");
    settings.set("hbase.thrift.server.name", "127.0.0.1");
    settings.setInt("hbase.thrift.server.port", gateway.port());
    settings.setBoolean("hbase.regionserver.thrift.framed", isFramed);
    return settings;
  }

  /** Calls of the older API without frames, as happybase sends them by default. */
  @Test
  void answersBytesWithoutFrames() throws Exception {
    createTable("plain");
    try (Socket socket = new Socket("127.0.0.1", older.port())) {
      for (String row : List.of("row1", "row2", "row3")) {
        Map<Integer, Object> put =
            call(
                socket,
                "mutateRow",
                arguments ->
                    arguments
                        .text(1, "plain")
                        .text(2, row)
                        .listOf(
                            3,
                            mutation ->
                                mutation
                                    .flag(1, false)
                                    .text(2, "f:q")
                                    .text(3, "value of " + row)
                                    .flag(4, true))
                        .emptyMap(4));
        assertThat(put).as("no result, no exception").isEmpty();
      }
      assertThat(value("plain", "row2")).isEqualTo("value of row2");
      assertThat(
              rows(
                  call(
                      socket,
                      "getRow",
                      arguments -> arguments.text(1, "plain").text(2, "row3").emptyMap(3))))
          .containsExactly(Map.entry("row3", "value of row3"));
      int scanner =
          (int)
              call(
                      socket,
                      "scannerOpenWithScan",
                      arguments ->
                          arguments
                              .text(1, "plain")
                              .struct(2, scan -> scan.text(1, "row2").number(5, 10))
                              .emptyMap(3))
                  .get(0);
      assertThat(
              rows(
                  call(
                      socket,
                      "scannerGetList",
                      arguments -> arguments.number(1, scanner).number(2, 10))))
          .containsExactly(Map.entry("row2", "value of row2"), Map.entry("row3", "value of row3"));
      assertThat(call(socket, "scannerClose", arguments -> arguments.number(1, scanner))).isEmpty();
      assertThat((List<?>) call(socket, "getTableNames", arguments -> {}).get(0))
          .anyMatch("plain"::equals);
      Map<Integer, Object> failed =
          call(
              socket,
              "getRow",
              arguments -> arguments.text(1, "no.such.table").text(2, "row").emptyMap(3));
      assertThat(failed).as("an exception and no result").containsOnlyKeys(1);
    }
  }

  /** Sends a call, and returns the fields of its answer. */
  private static Map<Integer, Object> call(
      Socket socket, String method, Consumer<RawThrift.Fields> arguments) throws IOException {
    socket.getOutputStream().write(RawThrift.call(method, arguments));
    return RawThrift.answer(new DataInputStream(socket.getInputStream()), method);
  }

  /** Returns the values of the column f:q by row: of structs with a row, and a map of cells. */
  private static Map<Object, Object> rows(Map<Integer, Object> answer) {
    Map<Object, Object> values = new LinkedHashMap<>();
    for (Object row : (List<?>) answer.get(0)) {
      Map<?, ?> cells = (Map<?, ?>) ((Map<?, ?>) row).get(2);
      values.put(((Map<?, ?>) row).get(1), ((Map<?, ?>) cells.get("f:q")).get(1));
    }
    return values;
  }

  /** A call of the newer API in a frame: its length, then the message. */
  @Test
  void answersBytesInFrames() throws Exception {
    try (Socket socket = new Socket("127.0.0.1", framed.port())) {
      byte[] message = RawThrift.call("getClusterId", arguments -> {});
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeInt(message.length);
      out.write(message);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      byte[] frame = new byte[in.readInt()];
      in.readFully(frame);
      DataInputStream framedAnswer = new DataInputStream(new ByteArrayInputStream(frame));
      Object id = RawThrift.answer(framedAnswer, "getClusterId").get(0);
      try (var admin = connection.getAdmin()) {
        assertThat(id).isEqualTo(admin.getClusterMetrics().getClusterId());
      }
    }
  }

  private static void createTable(String name) throws IOException {
    try (var admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .build());
    }
  }

  private static String value(String name, String key) throws IOException {
    try (Table table = connection.getTable(TableName.valueOf(name))) {
      return Bytes.toString(
          table.get(new Get(Bytes.toBytes(key))).getValue(Bytes.toBytes("f"), Bytes.toBytes("q")));
    }
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(Bytes.toBytes(text));
  }
}
