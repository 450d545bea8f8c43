package dev.cairn.interop.jobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** A server, the tables that jobs read there, and folders for their files. For one thread. */
final class JobSite implements AutoCloseable {
  /** The table that most jobs read: 40 rows in three regions, versions and markers. */
  static final TableName SOURCE = TableName.valueOf("source");

  private static final int ROWS = 40;
  private static final int VERSIONS = 3;

  private final Path folder;
  private final Configuration client;
  private final Connection connection;

  private JobSite(Path folder, Configuration client, Connection connection) {
    this.folder = folder;
    this.client = client;
    this.connection = connection;
  }

  /**
   * Connects to a server and fills its tables.
   *
   * @param client of the server
   * @param root the folder with the server's data
   * @param folder for the files of jobs
   */
  static JobSite open(Configuration client, Path root, Path folder) throws IOException {
    Configuration configuration = new Configuration(client);
    configuration.set(HConstants.HBASE_DIR, root.toUri().toString());
    configuration.set("hadoop.tmp.dir", folder.resolve("hadoop").toString());
    configuration.set(HConstants.TEMPORARY_FS_DIRECTORY_KEY, folder.resolve("staging").toString());
    JobPolls.shorten(configuration);
    JobSite site =
        new JobSite(folder, configuration, ConnectionFactory.createConnection(configuration));
    site.fill();
    return site;
  }

  private void fill() throws IOException {
    create(SOURCE, "r10", "r25");
    put(SOURCE, "f", 0, ROWS, 10, "old");
    flush(SOURCE);
    put(SOURCE, "f", 5, 20, 20, "newer");
    put(SOURCE, "g", 0, 8, 10, "g");
    try (Table table = connection.getTable(SOURCE)) {
      table.delete(new Delete(row(5)).addFamily(Bytes.toBytes("g"), 10));
      table.delete(new Delete(row(6)).addColumns(Bytes.toBytes("f"), Bytes.toBytes("q"), 15));
      table.delete(new Delete(row(30)).addColumn(Bytes.toBytes("f"), Bytes.toBytes("q"), 10));
    }
  }

  /** Returns the settings of a job, new for each call. */
  Configuration configuration() {
    return new Configuration(client);
  }

  /** Returns the server as jobs name another cluster. */
  String quorum() {
    return client.get(HConstants.ZOOKEEPER_QUORUM)
        + ":"
        + client.get(HConstants.ZOOKEEPER_CLIENT_PORT)
        + ":/hbase";
  }

  Connection connection() {
    return connection;
  }

  /** Returns the place of a file or folder of a job. */
  Path path(String name) {
    return folder.resolve(name);
  }

  /** Returns a new folder. */
  Path directory(String name) throws IOException {
    return Files.createDirectories(path(name));
  }

  /** Creates a table with families f and g. */
  TableName create(String name, String... splits) throws IOException {
    return create(TableName.valueOf(name), splits);
  }

  private TableName create(TableName name, String... splits) throws IOException {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
    for (String family : List.of("f", "g")) {
      table.setColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(family))
              .setMaxVersions(VERSIONS)
              .build());
    }
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          table.build(), Stream.of(splits).map(Bytes::toBytes).toArray(byte[][]::new));
    }
    return name;
  }

  static byte[] row(int number) {
    return Bytes.toBytes("r%02d".formatted(number));
  }

  /** Puts {@code value} in column q of the rows from {@code from} up to {@code to}, exclusive. */
  void put(TableName name, String family, int from, int to, long timestamp, String value)
      throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = from; i < to; i++) {
      puts.add(
          new Put(row(i))
              .addColumn(
                  Bytes.toBytes(family), Bytes.toBytes("q"), timestamp, Bytes.toBytes(value)));
    }
    try (Table table = connection.getTable(name)) {
      table.put(puts);
    }
  }

  private void flush(TableName name) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.flush(name);
    }
  }

  /** Returns all cells of a table, of all versions and with markers, as text. */
  List<String> cells(TableName name) throws IOException {
    List<String> cells = new ArrayList<>();
    try (Table table = connection.getTable(name);
        ResultScanner rows = table.getScanner(new Scan().setRaw(true).readAllVersions())) {
      for (Result row : rows) {
        for (Cell cell : row.rawCells()) {
          cells.add(text(cell));
        }
      }
    }
    return cells;
  }

  /** Returns a cell without its sequence number, as text. */
  static String text(Cell cell) {
    return cell.toString().replaceAll("/seqid=.*", "")
        + "="
        + Bytes.toStringBinary(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
