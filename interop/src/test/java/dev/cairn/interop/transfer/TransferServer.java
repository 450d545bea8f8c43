package dev.cairn.interop.transfer;

import dev.cairn.interop.process.ClassArchive;
import dev.cairn.interop.process.ServerClassPath;
import dev.cairn.interop.tools.CairnTool;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** A server with tables, and the command line beside it. */
final class TransferServer implements AutoCloseable {
  private static final int VERSIONS = 5;

  private final CairnServer server;
  private final Connection connection;
  private int tables;

  private TransferServer(CairnServer server, Connection connection) {
    this.server = server;
    this.connection = connection;
  }

  static TransferServer start() throws IOException {
    CairnServer server = CairnServer.start();
    return new TransferServer(server, server.connect());
  }

  Connection connection() {
    return connection;
  }

  Configuration configuration() {
    return server.configuration();
  }

  /** Returns the server as other clusters' commands name it. */
  String quorum() {
    return configuration().get(HConstants.ZOOKEEPER_QUORUM)
        + ":"
        + configuration().get(HConstants.ZOOKEEPER_CLIENT_PORT);
  }

  /** Creates a table with families f and g. */
  TableName create(String... splits) throws IOException {
    TableName name = TableName.valueOf("t" + ++tables);
    byte[][] keys = new byte[splits.length][];
    for (int i = 0; i < splits.length; i++) {
      keys[i] = Bytes.toBytesBinary(splits[i]);
    }
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
    for (String family : List.of("f", "g")) {
      table.setColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(family))
              .setMaxVersions(VERSIONS)
              .build());
    }
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(table.build(), keys);
    }
    return name;
  }

  /** Creates an index of columns, {@code FAMILY:QUALIFIER}, separated by commas. */
  void index(TableName name, String columns) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
              .setValue("cairn.index.i", columns)
              .build());
    }
  }

  /** Returns the descriptor of a table. */
  TableDescriptor descriptor(TableName name) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getDescriptor(name);
    }
  }

  /** Writes rows with versions, binary keys and values, and markers. */
  void fill(TableName name, long seed, int rows) throws IOException {
    Random random = new Random(seed);
    try (Table table = connection.getTable(name)) {
      List<Put> puts = new ArrayList<>();
      List<Delete> deletes = new ArrayList<>();
      for (int i = 0; i < rows; i++) {
        byte[] row = new byte[1 + random.nextInt(12)];
        random.nextBytes(row);
        for (int cell = random.nextInt(4); cell >= 0; cell--) {
          byte[] value = new byte[random.nextInt(40)];
          random.nextBytes(value);
          puts.add(
              new Put(row)
                  .addColumn(
                      Bytes.toBytes(random.nextBoolean() ? "f" : "g"),
                      new byte[] {(byte) ('a' + random.nextInt(3))},
                      1 + random.nextInt(9),
                      value));
        }
        if (random.nextInt(5) == 0) {
          deletes.add(
              random.nextBoolean()
                  ? new Delete(row).addFamily(Bytes.toBytes("f"), 4)
                  : new Delete(row).addColumns(Bytes.toBytes("g"), Bytes.toBytes("a"), 6));
        }
      }
      table.put(puts);
      table.delete(deletes);
    }
  }

  void put(TableName name, String row, String family, byte[] value) throws IOException {
    try (Table table = connection.getTable(name)) {
      table.put(
          new Put(Bytes.toBytes(row))
              .addColumn(Bytes.toBytes(family), Bytes.toBytes("a"), 5, value));
    }
  }

  /** Returns all cells and markers, as text. */
  List<String> all(TableName name) throws IOException {
    return cells(name, new Scan().readAllVersions().setRaw(true));
  }

  List<String> cells(TableName name, Scan scan) throws IOException {
    List<String> cells = new ArrayList<>();
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result row : scanner) {
        for (Cell cell : row.rawCells()) {
          cells.add(
              cell.toString().replaceAll("/seqid=.*", "")
                  + "="
                  + Bytes.toStringBinary(
                      cell.getValueArray(), cell.getValueOffset(), cell.getValueLength()));
        }
      }
    }
    return cells;
  }

  /** Runs a command. */
  CairnTool run(String command, Object... arguments) {
    return CairnTool.run(words(command, arguments).toArray(String[]::new));
  }

  private List<String> words(String command, Object... arguments) {
    List<String> all = new ArrayList<>(List.of(command, "-Dhbase.zookeeper.quorum=" + quorum()));
    for (Object argument : arguments) {
      all.add(argument.toString());
    }
    return all;
  }

  /** Starts a command in a process of its own, so that an interrupt can end it. */
  Process launch(Path output, String command, Object... arguments) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of(
                "env",
                "--default-signal=INT", // tests may run where interrupts are ignored
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                ServerClassPath.get(),
                "dev.cairn.launcher.Cairn"));
    all.addAll(all.indexOf("-cp"), ClassArchive.CAIRN.options());
    all.addAll(words(command, arguments));
    return new ProcessBuilder(all)
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  @Override
  public void close() throws IOException {
    connection.close();
    server.close();
  }
}
