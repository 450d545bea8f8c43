package dev.cairn.coprocessor.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALStreamReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the hooks of recoveries, on a server that is killed, and attributes of log entries. */
class ReplayHooksTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final TableName NAME = TableName.valueOf("replayed");

  @TempDir private Path folder;
  private CairnServer server;

  @BeforeEach
  void start() throws IOException {
    server = CairnServer.builder().folder(folder).start();
    ReplayProbe.CALLS.clear();
    ReplayProbe.failing = "";
    try (Connection connection = server.connect();
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(NAME)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .setCoprocessor(ReplayProbe.class.getName())
              .build());
      for (String row : List.of("a", "dropped", "changed", "z")) {
        table.put(new Put(Bytes.toBytes(row)).addColumn(F, Q, Q));
      }
    }
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private List<String> rows() throws IOException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = server.connect();
        Table table = connection.getTable(NAME);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result result : scanner) {
        rows.add(Bytes.toString(result.getRow()));
      }
    }
    return rows;
  }

  @Test
  void hooksSeeAndChangeWhatIsRestored() throws IOException {
    server.crash();
    assertThat(rows()).containsExactly("a", "other", "z");
    assertThat(ReplayProbe.CALLS)
        .containsExactly(
            "preReplayWALs replayed",
            "preWALRestore a a true true",
            "postWALRestore a",
            "preWALRestore dropped dropped true true",
            "preWALRestore changed changed true true",
            "postWALRestore other",
            "preWALRestore z z true true",
            "postWALRestore z",
            "postReplayWALs replayed");
    assertThat(ReplayProbe.file.toString()).contains("/data/default/replayed/", "recovered.edits");
  }

  @Test
  void entriesWhoseCellsAreInStoreFilesAreNotShown() throws IOException {
    try (Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      admin.flush(NAME);
    }
    server.crash();
    assertThat(rows()).containsExactly("a", "changed", "dropped", "z");
    assertThat(ReplayProbe.CALLS).noneMatch(call -> call.contains("WALRestore"));
  }

  @Test
  void aFailingHookLeavesTheRegionToAnotherAttempt() throws IOException {
    ReplayProbe.failing = "postWALRestore";
    server.crash();
    assertThat(rows()).containsExactly("a", "other", "z");
    assertThat(ReplayProbe.CALLS).filteredOn("preReplayWALs replayed"::equals).hasSize(2);
  }

  @Test
  void apachesReaderFindsTheAttributes() throws IOException {
    Configuration configuration = new Configuration();
    List<String> found = new ArrayList<>();
    try (FileSystem local = FileSystem.newInstanceLocal(configuration);
        Stream<Path> files = Files.walk(folder.resolve("WALs"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        read(local, file, configuration, found);
      }
    }
    assertThat(found).containsExactly("a=a", "dropped=dropped", "changed=changed", "z=z");
  }

  private static void read(
      FileSystem local, Path file, Configuration configuration, List<String> found)
      throws IOException {
    try (WALStreamReader reader =
        WALFactory.createStreamReader(
            local, new org.apache.hadoop.fs.Path(file.toUri()), configuration)) {
      for (WAL.Entry entry = reader.next(); entry != null; entry = reader.next()) {
        byte[] attribute = entry.getKey().getExtendedAttribute("row");
        if (entry.getKey().getTableName().equals(NAME) && attribute != null) {
          String row = Bytes.toString(CellUtil.cloneRow(entry.getEdit().getCells().get(0)));
          found.add(row + "=" + Bytes.toString(attribute));
        }
      }
    } catch (java.io.EOFException e) {
      // The file is being written.
    }
  }
}
