package dev.cairn.interop.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.layout.WalRootStorage;
import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.exchange.ImportReport;
import dev.cairn.server.process.ImportCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Apache HBase and Cairn serve a site with {@code hbase.wal.dir} in turn, without loss, even if one
 * of them is killed.
 */
@Tag("long")
class WalDirTest {
  private static final int SECONDS_MAX = 240;
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] FAMILY = Bytes.toBytes("f");

  @TempDir private Path directory;
  private Path logs;
  private ServerProcess cairn;
  private HBaseProcess hbase;

  @BeforeEach
  void prepare() throws IOException {
    logs = directory.resolve("logs");
    cairn = new ServerProcess(directory).set("hbase.wal.dir", logs.toString());
    hbase = new HBaseProcess(directory.resolve("hbase"), cairn);
    hbase.set("hbase.wal.dir", logs.toUri().toString());
  }

  @AfterEach
  void end() throws Exception {
    hbase.close();
    cairn.close();
  }

  @Test
  void nothingIsLostBetweenHBaseAndCairnWhoseLogsLieElsewhere() throws Exception {
    hbase.start();
    try (Connection connection = connect();
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
      put(connection, "flushed by hbase");
      admin.flush(TABLE);
      put(connection, "killed with hbase");
    }
    hbase.kill();
    assertThat(places(cairn.dataFolder())).as("HBase's logs in the data folder").isEmpty();
    assertThat(places(logs)).contains("WALs", "MasterData/WALs");

    checkImport();
    cairn.start();
    try (Connection connection = connect()) {
      assertThat(rows(connection)).containsExactly("flushed by hbase", "killed with hbase");
      put(connection, "killed with cairn");
    }
    cairn.kill();
    cairn.start();
    try (Connection connection = connect()) {
      assertThat(rows(connection)).contains("killed with cairn");
      put(connection, "stopped with cairn");
    }
    assertThat(cairn.terminate(SECONDS_MAX)).isEqualTo(143);
    assertThat(places(cairn.dataFolder())).as("Cairn's logs in the data folder").isEmpty();

    hbase.forgetZooKeeper();
    hbase.start();
    try (Connection connection = connect()) {
      assertThat(rows(connection))
          .containsExactly(
              "flushed by hbase", "killed with cairn", "killed with hbase", "stopped with cairn");
      put(connection, "stopped with hbase");
    }
    hbase.stop(SECONDS_MAX);

    cairn.start();
    try (Connection connection = connect()) {
      assertThat(rows(connection)).hasSize(5);
    }
    assertThat(cairn.terminate(SECONDS_MAX)).isEqualTo(143);
    assertThat(cairn.output().lines().filter(line -> line.contains("ERROR"))).isEmpty();
    assertThat(places(cairn.dataFolder())).isEmpty();
  }

  /** The report finds the logs in {@code hbase.wal.dir} and notices their absence elsewhere. */
  private void checkImport() throws IOException {
    SiteConfig config = new SiteConfig(Map.of());
    try (LocalStorage data = new LocalStorage(cairn.dataFolder());
        LocalStorage wals = new LocalStorage(logs)) {
      ImportReport report =
          ImportCheck.inspect(config, new WalRootStorage(data, wals), Clock.SYSTEM);
      assertThat(report.carriesEverything()).as("%s", report.findings()).isTrue();
      assertThat(report.logs()).isNotEmpty();

      ImportReport blind = ImportCheck.inspect(config, data, Clock.SYSTEM);
      assertThat(blind.opens()).isFalse();
      assertThat(blind.findings())
          .anySatisfy(
              finding -> assertThat(finding.what()).contains("hbase.wal.dir", "another folder"));
    }
  }

  /** Returns the folders of log files below {@code root}: WALs, oldWALs, recovered edits. */
  private static List<String> places(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> root.relativize(file).toString())
          .filter(
              path ->
                  path.contains("WALs/") || path.contains("recovered.") || path.contains("corrupt"))
          .map(path -> path.replaceFirst("(WALs|recovered\\.[a-z]+)/.*", "$1"))
          .collect(Collectors.toCollection(TreeSet::new))
          .stream()
          .toList();
    }
  }

  private Connection connect() throws IOException {
    return ConnectionFactory.createConnection(cairn.patientClient());
  }

  private static void put(Connection connection, String row) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      table.put(new Put(Bytes.toBytes(row)).addColumn(FAMILY, FAMILY, Bytes.toBytes("v")));
    }
  }

  private static List<String> rows(Connection connection) throws IOException {
    try (Table table = connection.getTable(TABLE);
        ResultScanner scanner = table.getScanner(new Scan())) {
      List<String> rows = new ArrayList<>();
      for (Result result : scanner) {
        rows.add(Bytes.toString(result.getRow()));
      }
      return rows;
    }
  }
}
