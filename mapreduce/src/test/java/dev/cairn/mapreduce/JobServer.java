package dev.cairn.mapreduce;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** A server in this JVM, with settings and folders for jobs of the local runner. For one thread. */
final class JobServer implements AutoCloseable {
  private static final int POLL_MILLIS = 20;

  private final Path folder;
  private final CairnServer server;
  private final Connection connection;
  private int outputs;

  private JobServer(Path folder, CairnServer server, Connection connection) {
    this.folder = folder;
    this.server = server;
    this.connection = connection;
  }

  /** Starts a server with its data in {@code folder}. */
  static JobServer start(Path folder) throws IOException {
    CairnServer server = CairnServer.builder().folder(folder.resolve("data")).start();
    return new JobServer(folder, server, server.connect());
  }

  /** Returns the settings of a job, new for each call. */
  Configuration configuration() {
    Configuration configuration = server.configuration();
    configuration.set("hadoop.tmp.dir", folder.resolve("hadoop").toString());
    configuration.set(HConstants.TEMPORARY_FS_DIRECTORY_KEY, folder.resolve("staging").toString());
    // Hadoop's default lets the caller wait for five seconds more than the job takes.
    configuration.setInt("mapreduce.client.completion.pollinterval", POLL_MILLIS);
    configuration.setInt("mapreduce.client.progressmonitor.pollinterval", POLL_MILLIS);
    configuration.set(HConstants.HBASE_DIR, folder.resolve("data").toUri().toString());
    return configuration;
  }

  /** Returns a new name of a folder for output. */
  Path output() {
    return folder.resolve("output" + ++outputs);
  }

  /** Returns the folder of the logs. */
  Path logs() {
    return folder.resolve("data/WALs");
  }

  Connection connection() {
    return connection;
  }

  /** Creates a table with families of one letter each. */
  TableName create(String name, String families, String... splits) throws IOException {
    TableName table = TableName.valueOf(name);
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(table);
    for (String family : families.split("")) {
      builder.setColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(family))
              .setMaxVersions(3)
              .build());
    }
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          builder.build(), Stream.of(splits).map(Bytes::toBytes).toArray(byte[][]::new));
    }
    return table;
  }

  /** Puts {@code value} in column q of the rows r{@code from} up to r{@code to}, exclusive. */
  void put(TableName table, String family, int from, int to, long timestamp, String value)
      throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = from; i < to; i++) {
      puts.add(
          new Put(Bytes.toBytes(row(i)))
              .addColumn(
                  Bytes.toBytes(family), Bytes.toBytes("q"), timestamp, Bytes.toBytes(value)));
    }
    try (Table open = connection.getTable(table)) {
      open.put(puts);
    }
  }

  static String row(int number) {
    return "r%03d".formatted(number);
  }

  void flush(TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.flush(table);
    }
  }

  /** Splits the region of {@code row} there, and returns once both halves serve. */
  void split(TableName table, String row) throws Exception {
    try (Admin admin = connection.getAdmin();
        RegionLocator locator = connection.getRegionLocator(table)) {
      byte[] region = locator.getRegionLocation(Bytes.toBytes(row)).getRegion().getRegionName();
      admin.splitRegionAsync(region, Bytes.toBytes(row)).get(60, TimeUnit.SECONDS);
    }
  }

  /** Returns all cells, of all versions and with markers, as text. */
  List<String> cells(TableName table) throws IOException {
    return cells(table, new Scan().setRaw(true).readAllVersions());
  }

  /** Returns the cells of a scan as text. */
  List<String> cells(TableName table, Scan scan) throws IOException {
    List<String> found = new ArrayList<>();
    try (Table open = connection.getTable(table);
        ResultScanner rows = open.getScanner(scan)) {
      for (Result row : rows) {
        for (Cell cell : row.rawCells()) {
          found.add(
              CellUtil.getCellKeyAsString(cell).replaceFirst("/seqid=\\d+$", "")
                  + "="
                  + Bytes.toString(CellUtil.cloneValue(cell)));
        }
      }
    }
    return found;
  }

  /** Returns all lines of a job's output. */
  static List<String> lines(Path output) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(output)) {
      for (Path file :
          files
              .filter(path -> path.getFileName().toString().startsWith("part-"))
              .sorted()
              .toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    return lines;
  }

  @Override
  public void close() throws IOException {
    connection.close();
    server.close();
  }
}
