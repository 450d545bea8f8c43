package dev.cairn.interop.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.tools.CairnTool;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;

/** A server on a local folder, a folder of backups, and the command line beside them. */
final class BackupSite implements AutoCloseable {
  static final byte[] F = Bytes.toBytes("f");
  static final byte[] G = Bytes.toBytes("g");

  final String root;
  final String backups;
  private final CairnServer server;
  private Connection connection;

  BackupSite(Path folder, String name, Path backups) throws IOException {
    this(
        CairnServer.builder().folder(folder.resolve(name)),
        folder.resolve(name).toString(),
        backups.toString());
  }

  /**
   * Starts a server.
   *
   * @param root the path or URL of its root directory
   * @param backups the path or URL of the folder of backups
   */
  BackupSite(CairnServer.Builder builder, String root, String backups) throws IOException {
    this.root = root;
    this.backups = backups;
    this.server =
        builder
            .setting("hbase.master.cleaner.interval", "200")
            .setting("hbase.master.logcleaner.ttl", "0")
            .setting("hbase.master.hfilecleaner.ttl", "0")
            .setting("hbase.regionserver.msginterval", "100")
            .start();
    this.connection = server.connect();
  }

  CairnServer server() {
    return server;
  }

  Connection connection() {
    return connection;
  }

  void restart() throws IOException {
    connection.close();
    server.restart();
    connection = server.connect();
  }

  void createTable(TableName name, String... splits) throws IOException {
    byte[][] keys = new byte[splits.length][];
    for (int i = 0; i < splits.length; i++) {
      keys[i] = Bytes.toBytes(splits[i]);
    }
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
    for (byte[] family : List.of(F, G)) {
      table.setColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(family)
              .setMaxVersions(Integer.MAX_VALUE)
              .build());
    }
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(table.build(), keys);
    }
  }

  /** Returns a millisecond in which nothing was written yet. */
  static long nextMillis() {
    long now = System.currentTimeMillis();
    while (System.currentTimeMillis() <= now + 1) {
      Thread.onSpinWait();
    }
    return System.currentTimeMillis();
  }

  /** Writes a store file with Apache's writer and loads it with Apache's tool. */
  void load(TableName table, Path files, Cell... cells) throws IOException {
    Path directory = Files.createDirectories(files.resolve("f"));
    Configuration settings = connection.getConfiguration();
    try (HFile.Writer writer =
        HFile.getWriterFactory(settings, new CacheConfig(settings))
            .withPath(
                FileSystem.getLocal(settings),
                new org.apache.hadoop.fs.Path(directory.resolve("1").toString()))
            .withFileContext(
                new HFileContextBuilder().withColumnFamily(F).withIncludesTags(true).build())
            .create()) {
      for (Cell cell : cells) {
        writer.append(cell);
      }
    }
    BulkLoadHFiles.create(settings).bulkLoad(table, new org.apache.hadoop.fs.Path(files.toUri()));
  }

  /** Returns all versions that a scan returns. */
  List<String> visible(TableName table) throws IOException {
    return texts(scan(table, new Scan().readAllVersions()));
  }

  /** Returns all cells and markers that a flush keeps. */
  List<String> all(TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.flush(table);
    }
    return texts(scan(table, new Scan().readAllVersions().setRaw(true)));
  }

  /** Returns the cells of a scan. */
  List<Cell> scan(TableName name, Scan scan) throws IOException {
    List<Cell> cells = new ArrayList<>();
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result row : scanner) {
        cells.addAll(row.listCells());
      }
    }
    return cells;
  }

  /** Returns keys and values, without sequence numbers. */
  static List<String> texts(List<Cell> cells) {
    return cells.stream()
        .map(
            cell ->
                cell.toString().replaceAll("/seqid=.*", "")
                    + "="
                    + Bytes.toStringBinary(
                        cell.getValueArray(), cell.getValueOffset(), cell.getValueLength()))
        .toList();
  }

  /** Returns the options that name the server. */
  List<String> cluster() {
    Configuration settings = server.configuration();
    return List.of(
        "-Dhbase.zookeeper.quorum="
            + settings.get(HConstants.ZOOKEEPER_QUORUM)
            + ":"
            + settings.get(HConstants.ZOOKEEPER_CLIENT_PORT),
        "--root=" + root);
  }

  CairnTool backup(String command, Object... arguments) {
    List<String> all = new ArrayList<>(List.of("backup", command));
    if (command.equals("create") || command.equals("restore")) {
      all.addAll(cluster());
    }
    all.add(backups);
    for (Object argument : arguments) {
      all.add(argument.toString());
    }
    return CairnTool.run(all.toArray(String[]::new));
  }

  CairnTool succeed(String command, Object... arguments) {
    CairnTool run = backup(command, arguments);
    assertThat(run.status()).as(run.toString()).isZero();
    return run;
  }

  /** Makes a backup and returns its id. */
  String backUp(Object... arguments) {
    String out = succeed("create", arguments).out();
    return out.replaceFirst("(?s).*ackup ([0-9TZ.]+): .*", "$1");
  }

  @Override
  public void close() throws IOException {
    connection.close();
    server.close();
  }
}
