package dev.cairn.interop.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnServer;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.thrift.generated.ColumnDescriptor;
import org.apache.hadoop.hbase.thrift.generated.Hbase;
import org.apache.hadoop.hbase.thrift.generated.Mutation;
import org.apache.hadoop.hbase.thrift.generated.TRowResult;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.transport.TSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients of both Thrift gateways: Apache's Java clients, and messages as Python clients send. */
@Timeout(120)
class ThriftGatewayTest {
  private static final byte STRING = 11;
  private static final byte LIST = 15;
  private static final int CALL = 0x8001_0001;
  private static final int REPLY = 0x8001_0002;

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
    Configuration settings = new Configuration();
    settings.set(
        "hbase.client.connection.impl", "org.apache.hadoop.hbase.thrift2.client.ThriftConnection");
    settings.set("hbase.thrift.server.name", "127.0.0.1");
    settings.setInt("hbase.thrift.server.port", framed.port());
    settings.setBoolean("hbase.regionserver.thrift.framed", true);
    TableName name = TableName.valueOf("newer");
    try (Connection thrift = ConnectionFactory.createConnection(settings);
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

  /** {@code getTableNames()} of the older API, without frames: happybase's default. */
  @Test
  void answersBytesWithoutFrames() throws Exception {
    createTable("plain");
    try (Socket socket = new Socket("127.0.0.1", older.port())) {
      socket.getOutputStream().write(call("getTableNames"));
      assertThat(names(new DataInputStream(socket.getInputStream()), "getTableNames"))
          .contains("plain");
    }
  }

  /** A call of the newer API in a frame: its length, then the message. */
  @Test
  void answersBytesInFrames() throws Exception {
    try (Socket socket = new Socket("127.0.0.1", framed.port())) {
      byte[] message = call("getClusterId");
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeInt(message.length);
      out.write(message);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      byte[] frame = new byte[in.readInt()];
      in.readFully(frame);
      ByteBuffer answer = ByteBuffer.wrap(frame);
      assertThat(answer.getInt()).isEqualTo(REPLY);
      answer.position(answer.position() + 4 + answer.getInt(answer.position()) + 4);
      assertThat(answer.get()).as("type of the result").isEqualTo(STRING);
      answer.getShort();
      byte[] id = new byte[answer.getInt()];
      answer.get(id);
      try (var admin = connection.getAdmin()) {
        assertThat(Bytes.toString(id)).isEqualTo(admin.getClusterMetrics().getClusterId());
      }
    }
  }

  /** Returns a call without arguments: version and type, name, sequence number, no field. */
  private static byte[] call(String method) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(CALL);
    out.writeInt(method.length());
    out.writeBytes(method);
    out.writeInt(1);
    out.writeByte(0);
    return bytes.toByteArray();
  }

  private static List<String> names(DataInputStream in, String method) throws IOException {
    assertThat(in.readInt()).isEqualTo(REPLY);
    assertThat(text(in)).isEqualTo(method);
    assertThat(in.readInt()).as("sequence number").isEqualTo(1);
    assertThat(in.readByte()).isEqualTo(LIST);
    assertThat(in.readShort()).as("field of the result").isZero();
    assertThat(in.readByte()).isEqualTo(STRING);
    List<String> names = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      names.add(text(in));
    }
    return names;
  }

  private static String text(DataInputStream in) throws IOException {
    byte[] text = new byte[in.readInt()];
    in.readFully(text);
    return new String(text, StandardCharsets.UTF_8);
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
