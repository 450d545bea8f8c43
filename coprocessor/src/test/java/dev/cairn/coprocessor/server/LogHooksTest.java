package dev.cairn.coprocessor.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.CairnServer;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
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
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALStreamReader;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the hooks of a region server's logs. */
class LogHooksTest {
  private static final String KEY = "hbase.coprocessor.wal.classes";
  private static final byte[] F = Bytes.toBytes("f");
  private static final TableName NAME = TableName.valueOf("logged");

  @TempDir private Path folder;
  private CairnServer server;
  private Connection connection;
  private Admin admin;
  private Table table;

  @BeforeEach
  void start() throws IOException {
    LogProbe.refusesRolls = false;
    LogProbe.refusesMarkers = false;
    start("hbase.coprocessor.abortonerror", "true");
  }

  /** Starts the server with a further setting. */
  private void start(String key, String value) throws IOException {
    server =
        CairnServer.builder()
            .folder(folder)
            .setting(KEY, LogProbe.class.getName())
            .setting(key, value)
            .setting("hbase.client.retries.number", "1")
            .start();
    connect();
    admin.createTable(
        TableDescriptorBuilder.newBuilder(NAME)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .build(),
        new byte[][] {Bytes.toBytes("n"), Bytes.toBytes("row5")});
    LogProbe.CALLS.clear();
    LogProbe.THREADS.clear();
    LogProbe.MOST.set(0);
  }

  /** Starts another server in another folder. */
  private void startAgain(String key, String value) throws IOException {
    connection.close();
    server.close();
    folder = Files.createDirectories(folder.resolve("again"));
    start(key, value);
  }

  private void connect() throws IOException {
    connection = server.connect();
    admin = connection.getAdmin();
    table = connection.getTable(NAME);
  }

  @AfterEach
  void stop() throws IOException {
    connection.close();
    server.close();
    assertThat(LogProbe.THREADS).noneMatch(name -> name.contains("network"));
  }

  private static Put put(String row) {
    return new Put(Bytes.toBytes(row)).addColumn(F, F, F);
  }

  private List<String> rows() throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result result : scanner) {
        rows.add(Bytes.toString(result.getRow()));
      }
    }
    return rows;
  }

  private void crash() throws IOException {
    connection.close();
    server.crash();
    connect();
  }

  private static List<String> hooks() {
    return LogProbe.CALLS.stream().map(call -> call.replaceAll(" [0-9]+$", "")).toList();
  }

  @Test
  void hooksSeeEachEntry() throws IOException {
    table.put(put("a"));
    table.put(put("x").setDurability(Durability.SKIP_WAL));
    table.put(List.of(put("b"), put("c")));
    assertThat(hooks())
        .containsExactly("preWALWrite a", "postWALWrite a", "preWALWrite b", "postWALWrite b");
    assertThat(LogProbe.CALLS).noneMatch(call -> call.endsWith(" 0") || call.endsWith("-1"));
  }

  @Test
  void aHookChangesTheEntryAlone() throws IOException {
    table.put(put("a"));
    table.put(put("changed"));
    assertThat(hooks()).contains("preWALWrite changed", "postWALWrite chosen");
    assertThat(rows()).containsExactly("a", "changed");
    crash();
    assertThat(rows()).containsExactly("a", "chosen");
  }

  @Test
  void aHookThatWritesToACellChangesTheEntryAlone() throws IOException {
    table.put(put("written"));
    assertThat(hooks()).contains("preWALWrite written", "postWALWrite writteN");
    assertThat(rows()).containsExactly("written");
    crash();
    assertThat(rows()).containsExactly("writteN");
  }

  @Test
  void aHookCannotRefuseMarkers() throws IOException {
    Path files = folder.resolveSibling(folder.getFileName() + "-files");
    Path family = Files.createDirectories(files.resolve("f"));
    Configuration settings = connection.getConfiguration();
    try (HFile.Writer writer =
        HFile.getWriterFactory(settings, new CacheConfig(settings))
            .withPath(
                FileSystem.getLocal(settings),
                new org.apache.hadoop.fs.Path(family.resolve("file").toString()))
            .withFileContext(new HFileContextBuilder().withColumnFamily(F).build())
            .create()) {
      writer.append(new KeyValue(Bytes.toBytes("loaded"), F, F, 7, F));
    }
    LogProbe.refusesMarkers = true;
    assertThat(
            BulkLoadHFiles.create(settings)
                .bulkLoad(NAME, new org.apache.hadoop.fs.Path(files.toUri())))
        .isNotEmpty();
    assertThat(LogProbe.CALLS).contains("marker");
    assertThat(rows()).containsExactly("loaded");
    crash();
    assertThat(rows()).containsExactly("loaded");
  }

  @Test
  void aHookThatWaitsHoldsUpItsOwnLogAlone() throws Exception {
    LogProbe.gate = new CountDownLatch(1);
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Future<?> held =
          threads.submit(
              () -> {
                table.put(put("held"));
                return null;
              });
      Awaitility.await()
          .atMost(1, TimeUnit.MINUTES)
          .until(() -> hooks().contains("preWALWrite held"));
      try (Table meta = connection.getTable(TableName.META_TABLE_NAME)) {
        meta.put(
            new Put(Bytes.toBytes("other"))
                .addColumn(HConstants.CATALOG_FAMILY, Bytes.toBytes("other"), F));
      }
      assertThat(held.isDone()).isFalse();
      LogProbe.gate.countDown();
      held.get();
    } finally {
      LogProbe.gate.countDown();
      threads.shutdown();
    }
    assertThat(rows()).containsExactly("held");
  }

  @Test
  void aHookThatFailsIsRemovedIfTheSiteSaysSo() throws IOException {
    assertThatThrownBy(() -> table.put(put("failing"))).hasMessageContaining("a wrong row");
    assertThatThrownBy(() -> table.put(put("failing"))).hasMessageContaining("a wrong row");
    startAgain("hbase.coprocessor.abortonerror", "false");
    assertThatThrownBy(() -> table.put(put("refused"))).hasStackTraceContaining("not this row");
    assertThatThrownBy(() -> table.put(put("failing"))).hasMessageContaining("a wrong row");
    LogProbe.CALLS.clear();
    table.put(put("failing"));
    assertThat(LogProbe.CALLS).isEmpty();
    assertThat(rows()).containsExactly("failing");
  }

  @Test
  void aHookRefusesAWrite() throws IOException {
    assertThatThrownBy(() -> table.put(put("refused"))).hasStackTraceContaining("not this row");
    assertThatThrownBy(() -> table.put(put("failing")))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(LogProbe.class.getName())
        .hasMessageContaining("a wrong row");
    assertThatThrownBy(() -> table.put(put("foreign"))).hasMessageContaining("cannot have");
    assertThat(hooks()).noneMatch(call -> call.startsWith("postWALWrite"));
    table.put(put("a"));
    table.put(put("late"));
    assertThat(rows()).containsExactly("a", "late");
    crash();
    assertThat(rows()).containsExactly("a", "late");
  }

  @Test
  void aHookAddsAttributes() throws IOException {
    table.put(put("described"));
    assertThat(logged()).containsExactly("described {by=hook}");
  }

  @Test
  void aCompressedLogTakesShortAttributesAlone() throws IOException {
    table.put(put("long"));
    startAgain("hbase.regionserver.wal.enablecompression", "true");
    assertThatThrownBy(() -> table.put(put("long")))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("more than 4096");
    table.put(put("described"));
    crash();
    assertThat(rows()).containsExactly("described");
  }

  @Test
  void hooksRunOneAtATime_inTheOrderOfTheLog() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        int writer = i;
        writers.add(
            threads.submit(
                () -> {
                  for (int j = 0; j < 50; j++) {
                    table.put(put("row" + (writer + j) % 9 + "-" + writer + "-" + j));
                  }
                  return null;
                }));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    } finally {
      threads.shutdown();
    }
    assertThat(LogProbe.MOST).hasValue(1);
    assertThat(logged())
        .hasSize(200)
        .isEqualTo(
            hooks().stream()
                .filter(call -> call.startsWith("preWALWrite "))
                .map(call -> call.substring("preWALWrite ".length()))
                .toList());
  }

  @Test
  void hooksSeeNewFiles_andRefuseThem() throws IOException {
    ServerName name = admin.getRegionServers().iterator().next();
    table.put(put("a"));
    LogProbe.CALLS.clear();
    admin.rollWALWriter(name);
    Awaitility.await()
        .until(() -> LogProbe.CALLS.stream().anyMatch(call -> call.startsWith("postWALRoll")));
    List<String> rolls = LogProbe.CALLS.stream().filter(call -> call.contains("Roll")).toList();
    assertThat(rolls.get(0)).startsWith("preWALRoll ");
    assertThat(rolls).contains(rolls.get(0).replace("preWALRoll", "postWALRoll"));
    table.put(put("b"));
    LogProbe.refusesRolls = true;
    assertThatThrownBy(() -> admin.rollWALWriter(name)).hasStackTraceContaining("no other file");
    table.put(put("c"));
    LogProbe.refusesRolls = false;
    admin.rollWALWriter(name);
    crash();
    assertThat(rows()).containsExactly("a", "b", "c");
  }

  @Test
  void aServerWithAClassThatCannotRunDoesNotStart() {
    for (String type : List.of("no.such.Class", ServerProbe.class.getName())) {
      assertThatThrownBy(() -> CairnServer.builder().setting(KEY, type).start().close())
          .hasMessageContaining(KEY)
          .hasMessageContaining(type);
    }
  }

  /** Returns the rows of the table's entries in all files of the log, as Apache's reader finds. */
  private List<String> logged() throws IOException {
    List<String> found = new ArrayList<>();
    Configuration configuration = new Configuration();
    try (FileSystem local = FileSystem.newInstanceLocal(configuration);
        Stream<Path> files = Files.walk(folder)) {
      for (Path file :
          files
              .filter(path -> path.toString().matches(".*/(WALs/.*|oldWALs)/[^/]*[0-9]"))
              .filter(Files::isRegularFile)
              .sorted(Comparator.comparing(path -> path.getFileName().toString()))
              .toList()) {
        read(local, file, configuration, found);
      }
    }
    return found;
  }

  private static void read(
      FileSystem local, Path file, Configuration configuration, List<String> found)
      throws IOException {
    try (WALStreamReader reader =
        WALFactory.createStreamReader(
            local, new org.apache.hadoop.fs.Path(file.toUri()), configuration)) {
      for (WAL.Entry entry = reader.next(); entry != null; entry = reader.next()) {
        if (entry.getKey().getTableName().equals(NAME) && !entry.getEdit().isMetaEdit()) {
          byte[] by = entry.getKey().getExtendedAttribute("by");
          String row = Bytes.toString(CellUtil.cloneRow(entry.getEdit().getCells().get(0)));
          found.add(by == null ? row : row + " {by=" + Bytes.toString(by) + "}");
        }
      }
    } catch (EOFException e) {
      // The file is being written.
    }
  }
}
