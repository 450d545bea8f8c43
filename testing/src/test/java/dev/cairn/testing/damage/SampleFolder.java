package dev.cairn.testing.damage;

import static org.awaitility.Awaitility.await;

import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.process.CairnProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.NamespaceDescriptor;
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

/**
 * A small data folder with a file of every kind: several regions and families, flushed and
 * compacted files, references of a split, MOB files, a namespace, and, if its server was killed,
 * logs.
 */
final class SampleFolder {
  static final TableName PLAIN = TableName.valueOf("plain");
  static final TableName SPLIT = TableName.valueOf("split");
  static final TableName LARGE = TableName.valueOf("large");
  static final TableName OTHER = TableName.valueOf("space:other");
  static final List<TableName> TABLES = List.of(PLAIN, SPLIT, LARGE, OTHER);

  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] G = Bytes.toBytes("g");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final int ROWS = 40;

  private SampleFolder() {}

  /**
   * Makes the folder.
   *
   * @param killed whether the folder looks as after a kill, with the newest rows in the logs only.
   *     It is then a copy of the files of a running server.
   */
  static void make(Path folder, boolean killed) throws IOException {
    Path home = killed ? folder.resolveSibling(folder.getFileName() + "-running") : folder;
    CairnProcess server = start(home);
    try (Connection connection = ConnectionFactory.createConnection(client(server));
        Admin admin = connection.getAdmin()) {
      admin.createNamespace(NamespaceDescriptor.create("space").build());
      create(admin, PLAIN, F, G);
      create(admin, SPLIT, F);
      create(admin, OTHER, F);
      admin.createTable(
          TableDescriptorBuilder.newBuilder(LARGE)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(F)
                      .setMobEnabled(true)
                      .setMobThreshold(100)
                      .build())
              .build());
      for (TableName name : TABLES) {
        try (Table table = connection.getTable(name)) {
          byte[][] families = name.equals(PLAIN) ? new byte[][] {F, G} : new byte[][] {F};
          fill(table, 0, families);
          admin.flush(name);
          fill(table, ROWS, families);
          table.delete(new Delete(row(3)));
          admin.flush(name);
        }
      }
      admin.split(SPLIT, row(ROWS));
      await().atMost(Duration.ofMinutes(2)).until(() -> admin.getRegions(SPLIT).size() == 2);
      for (TableName name : TABLES) {
        try (Table table = connection.getTable(name)) {
          fill(table, 2 * ROWS, F);
        }
      }
    }
    if (killed) {
      copy(home, folder);
    }
    server.close();
  }

  private static void create(Admin admin, TableName name, byte[]... families) throws IOException {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(name).setCompactionEnabled(false);
    for (byte[] family : families) {
      table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family));
    }
    if (name.equals(PLAIN)) {
      admin.createTable(table.build(), new byte[][] {row(ROWS)});
    } else {
      admin.createTable(table.build());
    }
  }

  private static void fill(Table table, int from, byte[]... families) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = from; i < from + ROWS; i++) {
      Put put = new Put(row(i));
      for (byte[] family : families) {
        put.addColumn(family, Q, Bytes.toBytes(("value " + i).repeat(20)));
      }
      puts.add(put);
    }
    table.put(puts);
  }

  private static byte[] row(int number) {
    return Bytes.toBytes("row %04d".formatted(number));
  }

  /** Starts a server on a folder. */
  static CairnProcess start(Path folder) throws IOException {
    Map<String, String> settings = new TreeMap<>();
    for (String port :
        List.of(
            "hbase.master.port",
            "hbase.regionserver.port",
            "hbase.regionserver.info.port",
            "hbase.zookeeper.property.clientPort",
            "hbase.master.info.port")) {
      settings.put(port, "0");
    }
    for (String address :
        List.of(
            "hbase.master.ipc.address",
            "hbase.regionserver.ipc.address",
            "hbase.zookeeper.property.clientPortAddress",
            "hbase.master.info.bindAddress",
            "cairn.hostname")) {
      settings.put(address, "127.0.0.1");
    }
    settings.put("cairn.start.timeout", "60000");
    // If ZooKeeper's folder is lost, and another process listens on the port of the last server, a
    // start waits until the session of that server has expired.
    settings.put("zookeeper.session.timeout", "10000");
    settings.put("hbase.wal.hsync", "false");
    return CairnProcess.start(
        new SiteConfig(settings),
        new LocalStorage(folder),
        Optional.of(folder.resolve("zookeeper")),
        Clock.SYSTEM);
  }

  /** Returns a client configuration with short time-outs. */
  static Configuration client(CairnProcess server) {
    Configuration configuration = HBaseConfiguration.create();
    String zooKeeper = server.endpoints().zooKeeper();
    configuration.set("hbase.zookeeper.quorum", "127.0.0.1");
    configuration.set(
        "hbase.zookeeper.property.clientPort", zooKeeper.substring(zooKeeper.lastIndexOf(':') + 1));
    configuration.setInt("hbase.client.retries.number", 3);
    configuration.setInt("hbase.client.pause", 20);
    configuration.setInt("hbase.client.operation.timeout", 10_000);
    configuration.setInt("hbase.client.meta.operation.timeout", 10_000);
    return configuration;
  }

  /** Returns all cells of a table, as text. */
  static SortedMap<String, String> read(Connection connection, TableName name) throws IOException {
    SortedMap<String, String> cells = new TreeMap<>();
    try (Table table = connection.getTable(name);
        ResultScanner results = table.getScanner(new Scan())) {
      for (Result result : results) {
        result
            .listCells()
            .forEach(
                cell ->
                    cells.put(
                        org.apache.hadoop.hbase.CellUtil.getCellKeyAsString(cell),
                        Bytes.toString(
                            cell.getValueArray(), cell.getValueOffset(), cell.getValueLength())));
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return cells;
  }

  /** Returns the paths of all files below a folder, relative to it, in order. */
  static List<String> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  /** Copies a folder. */
  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> paths = Files.walk(from)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        Path target = to.resolve(from.relativize(path).toString());
        if (Files.isDirectory(path)) {
          Files.createDirectories(target);
        } else {
          Files.copy(path, target, StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
  }
}
