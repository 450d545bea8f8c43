package dev.cairn.interop.wal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.wal.file.WalCompression;
import dev.cairn.interop.tools.CairnTool;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.apache.hadoop.hbase.wal.WALProvider;
import org.apache.hadoop.hbase.wal.WALSplitter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cells keep their tags on each way into a table: a TTL that has passed hides its cell, and all
 * other tags come back as they were. {@link WalInteropTest} compares whole logs, {@code
 * BulkLoadToolTest} loads files, and {@code BackupContentTest} restores from logs and files.
 */
class TagsTest {
  private static final TableName TABLE = TableName.valueOf("t");

  /** The bytes at the end of a closed log, which a killed writer leaves out. */
  private static final int TRAILER_BYTES = 8;

  @TempDir private Path folder;
  private Path data;
  private String region;
  private String regionServer;

  @BeforeEach
  void createTable() throws IOException {
    data = folder.resolve("data");
    try (CairnServer server = start();
        Connection connection = connect(server);
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(TaggedCells.F))
              .build());
      HRegionLocation location = connection.getRegionLocator(TABLE).getRegionLocation(new byte[0]);
      region = location.getRegion().getEncodedName();
      regionServer = location.getServerName().getServerName();
    }
  }

  private CairnServer start() throws IOException {
    return CairnServer.builder().folder(data).start();
  }

  private static Connection connect(CairnServer server) throws IOException {
    return ConnectionFactory.createConnection(TaggedCells.withTags(server.configuration()));
  }

  private void assertSeen(List<String> ways) throws IOException {
    try (CairnServer server = start();
        Connection connection = connect(server)) {
      assertThat(TaggedCells.read(connection, TABLE)).isEqualTo(TaggedCells.seen(ways));
      connection.getAdmin().flush(TABLE);
      assertThat(TaggedCells.read(connection, TABLE)).isEqualTo(TaggedCells.seen(ways));
    }
  }

  /** Writes a log with HBase's writer; returns its bytes. */
  private byte[] log(Configuration settings, long sequence, List<KeyValue> cells)
      throws IOException {
    Path file = folder.resolve("log-" + sequence);
    try (FileSystem local = FileSystem.newInstanceLocal(settings);
        WALProvider.Writer writer =
            WALFactory.createWALWriter(local, HBaseLog.path(file), settings)) {
      for (KeyValue cell : cells) {
        WALKeyImpl key =
            new WALKeyImpl(
                Bytes.toBytes(region),
                TABLE,
                sequence++,
                1_700_000_000_000L,
                List.of(),
                0,
                0,
                null,
                new TreeMap<>(Bytes.BYTES_COMPARATOR));
        WALEdit edit = new WALEdit();
        edit.add(cell);
        writer.append(new WAL.Entry(key, edit));
      }
      writer.sync(false);
    }
    return Files.readAllBytes(file);
  }

  /**
   * The logs belong to the server that the region was on: a region opens without waiting for the
   * logs of other servers.
   */
  @Test
  void logsOfEveryFormOfAnHBaseThatWasKilledOrStopped() throws IOException {
    Path logs = Files.createDirectories(data.resolve("WALs").resolve(regionServer));
    List<String> ways = new ArrayList<>();
    long sequence = 1_000;
    for (WalCompression compression : WalInteropTest.compressions()) {
      for (boolean closed : List.of(true, false)) {
        String way = compression + (closed ? " closed" : " open");
        ways.add(way);
        byte[] log =
            log(HBaseLog.configuration(compression), sequence += 1_000, TaggedCells.of(way));
        Files.write(
            logs.resolve(regionServer.replace(",", "%2C") + "." + (1_700_000_000_000L + sequence)),
            closed ? log : Arrays.copyOf(log, log.length - TRAILER_BYTES));
      }
    }
    assertSeen(ways);
  }

  /** Lets HBase split a log of each form, and kills it before it opens the region. */
  private List<String> splitByHBase(boolean intoFiles) throws IOException {
    List<String> ways = new ArrayList<>();
    long sequence = 1_000;
    for (WalCompression compression : WalInteropTest.compressions()) {
      ways.add(compression.toString());
      Configuration settings = HBaseLog.configuration(compression);
      byte[] log = log(settings, sequence += 1_000, TaggedCells.of(compression.toString()));
      Path logs = Files.createDirectories(folder.resolve("hbase" + sequence + ",16020,1"));
      Files.write(logs.resolve("hbase" + sequence + "%2C16020%2C1.1700000000000"), log);
      settings.set("hbase.rootdir", data.toUri().toString());
      settings.set("hbase.wal.dir", data.toUri().toString());
      settings.set("fs.file.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
      settings.setBoolean("hbase.wal.split.to.hfile", intoFiles);
      try (FileSystem local = FileSystem.newInstance(URI.create("file:///"), settings)) {
        WALSplitter.split(
            HBaseLog.path(data),
            HBaseLog.path(logs),
            HBaseLog.path(data.resolve("oldWALs")),
            local,
            settings,
            new WALFactory(settings, "splitter"));
      }
    }
    return ways;
  }

  private Path regionDirectory() {
    return data.resolve("data/default").resolve(TABLE.getNameAsString()).resolve(region);
  }

  private static List<Path> filesIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> !file.getFileName().toString().startsWith(".")).toList();
    }
  }

  @Test
  void recoveredEditsOfHBase() throws IOException {
    List<String> ways = splitByHBase(false);
    assertThat(filesIn(regionDirectory().resolve("recovered.edits")))
        .hasSizeGreaterThanOrEqualTo(ways.size());
    assertSeen(ways);
  }

  /**
   * HBase 2.6 writes these files without tags. After that, it shows a cell whose TTL has passed, as
   * Cairn must. {@code docs/COMPATIBILITY.md} documents it.
   */
  @Test
  void recoveredFilesOfHBaseHaveLostTheirTagsAlready() throws IOException {
    List<String> ways = splitByHBase(true);
    List<Path> files = filesIn(regionDirectory().resolve("f/recovered.hfiles"));
    assertThat(files).hasSize(ways.size());
    Configuration settings = new Configuration(false);
    for (Path file : files) {
      try (FileSystem local = FileSystem.newInstanceLocal(settings);
          HFile.Reader reader =
              HFile.createReader(
                  local, HBaseLog.path(file), CacheConfig.DISABLED, true, settings)) {
        assertThat(reader.getFileContext().isIncludesTags()).isFalse();
        assertThat(reader.getEntries()).isEqualTo(2);
      }
    }
    try (CairnServer server = start();
        Connection connection = connect(server)) {
      assertThat(TaggedCells.read(connection, TABLE))
          .hasSize(2 * ways.size())
          .allMatch(cell -> cell.endsWith("[]"));
    }
  }

  @Test
  void recoveredFilesWithTags() throws IOException {
    Configuration settings = new Configuration(false);
    Path file =
        Files.createDirectories(regionDirectory().resolve("f/recovered.hfiles"))
            .resolve("00112233445566778899aabbccddeeff");
    try (FileSystem local = FileSystem.newInstanceLocal(settings)) {
      StoreFileWriter writer =
          new StoreFileWriter.Builder(settings, CacheConfig.DISABLED, local)
              .withFilePath(HBaseLog.path(file))
              .withFileContext(new HFileContextBuilder().withIncludesTags(true).build())
              .build();
      for (KeyValue cell : TaggedCells.of("file")) {
        cell.setSequenceId(1_000);
        writer.append(cell);
      }
      writer.appendMetadata(1_000, false);
      writer.close();
    }
    assertSeen(List.of("file"));
  }

  @Test
  void snapshotsClonesHalvesOfSplitRegionsAndExports() throws Exception {
    List<String> ways = List.of("a", "z");
    List<String> seen = TaggedCells.seen(ways);
    TableName clone = TableName.valueOf("clone");
    try (CairnServer server = start()) {
      try (Connection connection = connect(server);
          Table table = connection.getTable(TABLE);
          Admin admin = connection.getAdmin()) {
        for (String way : ways) {
          for (KeyValue cell : TaggedCells.of(way)) {
            Put put = new Put(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength());
            table.put(List.of(put.add(cell))); // The message of a single put has no tags.
          }
        }
        assertThat(TaggedCells.read(connection, TABLE)).isEqualTo(seen);
        admin.snapshot("s", TABLE);
        admin.cloneSnapshot("s", clone);
        assertThat(TaggedCells.read(connection, clone)).isEqualTo(seen);
        admin
            .splitRegionAsync(admin.getRegions(TABLE).get(0).getRegionName(), Bytes.toBytes("m"))
            .get();
        assertThat(TaggedCells.read(connection, TABLE)).isEqualTo(seen);
        admin.disableTable(TABLE);
        admin.restoreSnapshot("s");
        admin.enableTable(TABLE);
        assertThat(TaggedCells.read(connection, TABLE)).isEqualTo(seen);
        for (String format : List.of("sequence", "hfile")) {
          export(server, connection, format);
        }
      }
      server.crash();
      try (Connection connection = connect(server)) {
        assertThat(TaggedCells.read(connection, TABLE)).isEqualTo(seen);
        assertThat(TaggedCells.read(connection, clone)).isEqualTo(seen);
      }
    }
  }

  private void export(CairnServer server, Connection connection, String format) throws IOException {
    TableName copy = TableName.valueOf("copy-" + format);
    connection
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(copy)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(TaggedCells.F))
                .build());
    Path target = folder.resolve(format);
    run(server, "export", TABLE, target, "--format=" + format);
    if (format.equals("hfile")) {
      BulkLoadHFiles.create(server.configuration()).bulkLoad(copy, HBaseLog.path(target));
    } else {
      run(server, "import", copy, target, "--progress-dir=" + folder);
    }
    assertThat(TaggedCells.read(connection, copy))
        .as(format)
        .isEqualTo(TaggedCells.read(connection, TABLE));
  }

  private void run(CairnServer server, String command, Object... arguments) {
    Configuration client = TaggedCells.withTags(server.configuration());
    List<String> all = new ArrayList<>(List.of(command));
    for (String key :
        List.of(
            "hbase.zookeeper.quorum",
            "hbase.zookeeper.property.clientPort",
            "hbase.client.rpc.codec")) {
      all.add("-D" + key + "=" + client.get(key));
    }
    for (Object argument : arguments) {
      all.add(argument.toString());
    }
    CairnTool run = CairnTool.run(all.toArray(String[]::new));
    assertThat(run.status()).as(run.toString()).isZero();
  }
}
