package dev.cairn.interop.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.time.Clock;
import dev.cairn.interop.hadoop.SharedHdfs;
import dev.cairn.interop.jobs.JobPolls;
import dev.cairn.interop.tools.CairnTool;
import dev.cairn.server.hadoop.HadoopStorage;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
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
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.snapshot.ExportSnapshot;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Loads, exports and imports data of a server on HDFS, with Apache's tools and the command line.
 */
class HdfsBulkTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");

  @RegisterExtension static final SharedHdfs HDFS = new SharedHdfs();

  private static DistributedFileSystem files;
  private static HadoopStorage storage;
  private static CairnServer server;
  private static Connection connection;
  private static Admin admin;
  private static int tables;

  @TempDir static java.nio.file.Path folder;
  @TempDir java.nio.file.Path local;
  private final TableName table = TableName.valueOf("t" + ++tables);

  @BeforeAll
  static void start() throws IOException {
    Configuration settings = HDFS.hdfs().settings();
    files = (DistributedFileSystem) FileSystem.newInstance(URI.create(HDFS.home()), settings);
    storage = HadoopStorage.open(URI.create(root()), settings, Clock.SYSTEM);
    server = CairnServer.builder().storage(storage).start();
    connection = server.connect();
    admin = connection.getAdmin();
  }

  @AfterAll
  static void stop() throws IOException {
    admin.close();
    connection.close();
    server.close();
    storage.close();
    files.close();
  }

  private static String root() {
    return HDFS.home() + "/hbase";
  }

  @BeforeEach
  void create() throws IOException {
    create(table);
  }

  private static void create(TableName name) throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .build(),
        new byte[][] {Bytes.toBytes("r300")});
  }

  /** Writes a store file with Apache's writer. */
  private static Path write(FileSystem target, Path directory, String name, int from, int to)
      throws IOException {
    Path file = new Path(directory, "f/" + name);
    Configuration settings = connection.getConfiguration();
    try (HFile.Writer writer =
        HFile.getWriterFactory(settings, new CacheConfig(settings))
            .withPath(target, file)
            .withFileContext(new HFileContextBuilder().withColumnFamily(F).build())
            .create()) {
      for (int i = from; i < to; i++) {
        writer.append(
            new KeyValue(Bytes.toBytes("r%03d".formatted(i)), F, Q, 7, Bytes.toBytes("loaded")));
      }
    }
    return file;
  }

  private void load(Path directory) throws IOException {
    BulkLoadHFiles.create(connection.getConfiguration()).bulkLoad(table, directory);
  }

  private static void put(TableName name, String value) throws IOException {
    try (Table open = connection.getTable(name)) {
      for (int i = 250; i < 350; i++) {
        open.put(new Put(Bytes.toBytes("r" + i)).addColumn(F, Q, 7, Bytes.toBytes(value)));
      }
    }
  }

  private static List<String> cells(TableName name) throws IOException {
    List<String> found = new ArrayList<>();
    try (Table open = connection.getTable(name);
        ResultScanner scan = open.getScanner(new Scan())) {
      for (Result row : scan) {
        for (Cell cell : row.rawCells()) {
          found.add(
              "%s/%d=%s"
                  .formatted(
                      Bytes.toString(row.getRow()),
                      cell.getTimestamp(),
                      Bytes.toString(row.value())));
        }
      }
    }
    return found;
  }

  /** Returns the names of the blocks of all files in a directory. */
  private static TreeSet<String> blocks(Path directory) throws IOException {
    TreeSet<String> names = new TreeSet<>();
    RemoteIterator<LocatedFileStatus> all = files.listFiles(directory, true);
    while (all.hasNext()) {
      String path = all.next().getPath().toUri().getPath();
      for (LocatedBlock block : files.getClient().getLocatedBlocks(path, 0).getLocatedBlocks()) {
        names.add(block.getBlock().getBlockName());
      }
    }
    return names;
  }

  private Path stores() {
    return new Path(root() + "/data/default/" + table);
  }

  @Test
  void filesOnItsHdfsAreMovedAndKeepTheirBlocks() throws IOException {
    Path incoming = new Path(HDFS.home() + "/incoming");
    write(files, incoming, "1", 100, 200);
    write(files, incoming, "2", 400, 500);
    TreeSet<String> written = blocks(incoming);
    load(incoming);
    assertThat(cells(table)).hasSize(200).startsWith("r100/7=loaded").endsWith("r499/7=loaded");
    assertThat(written).hasSize(2);
    assertThat(blocks(stores())).containsAll(written);
    assertThat(files.listFiles(incoming, true).hasNext()).isFalse();
    assertThat(files.listFiles(new Path(root(), "staging"), true).hasNext()).isFalse();
  }

  @Test
  void filesOfAFolderAreCopiedAndStayThere() throws IOException {
    Path incoming = new Path(local.toUri());
    Configuration settings = connection.getConfiguration();
    Path file = write(FileSystem.getLocal(settings), incoming, "1", 100, 200);
    load(incoming);
    assertThat(cells(table)).hasSize(100);
    assertThat(FileSystem.getLocal(settings).exists(file)).isTrue();
    assertThat(files.listFiles(new Path(root(), "staging"), true).hasNext()).isFalse();
    load(incoming); // again, like a tool that was killed
    assertThat(cells(table)).hasSize(100);
  }

  @Test
  void filesOfAnotherUserWhichMayOnlyBeReadAreCopiedAndStayThere() throws IOException {
    Path incoming = new Path("/theirs");
    HDFS.hdfs().change(theirs -> write(theirs, incoming, "1", 100, 200));
    load(new Path(new Path(HDFS.home()), incoming));
    assertThat(cells(table)).hasSize(100);
    assertThat(files.exists(new Path(incoming, "f/1"))).isTrue();
    assertThat(files.listFiles(new Path(root(), "staging"), true).hasNext()).isFalse();
  }

  @Test
  void aDamagedFileIsNamedAndMovedBack() throws IOException {
    Path incoming = new Path(HDFS.home() + "/damaged");
    Path file = write(files, incoming, "broken", 100, 200);
    byte[] bytes = new byte[(int) files.getFileStatus(file).getLen()];
    try (var input = files.open(file)) {
      input.readFully(bytes);
    }
    bytes[200]++;
    try (var output = files.create(file, true)) {
      output.write(bytes);
    }
    TreeSet<String> written = blocks(incoming);
    assertThatThrownBy(() -> load(incoming)).hasStackTraceContaining("broken");
    assertThat(cells(table)).isEmpty();
    assertThat(files.exists(file)).isTrue();
    assertThat(blocks(incoming)).isEqualTo(written);
  }

  @Test
  void apachesToolExportsASnapshotToAnotherFolderOfHdfsAndBack() throws Exception {
    put(table, "v");
    admin.snapshot("of-" + table, table);
    List<String> before = cells(table);
    String elsewhere = HDFS.home() + "/elsewhere";
    export("-snapshot", "of-" + table, "-copy-to", elsewhere);
    admin.disableTable(table);
    admin.deleteTable(table);
    admin.deleteSnapshot("of-" + table);
    assertThatThrownBy(() -> admin.cloneSnapshot("of-" + table, table))
        .hasMessageContaining("of-" + table);

    export("-snapshot", "of-" + table, "-copy-from", elsewhere, "-copy-to", root());
    admin.cloneSnapshot("of-" + table, table);
    assertThat(cells(table)).hasSize(100).isEqualTo(before);
  }

  private static void export(String... arguments) throws Exception {
    Configuration settings = new Configuration(connection.getConfiguration());
    settings.set(HConstants.HBASE_DIR, root());
    settings.set("hadoop.tmp.dir", folder.resolve("hadoop").toString());
    JobPolls.shorten(settings);
    settings.set(
        HConstants.TEMPORARY_FS_DIRECTORY_KEY, folder.resolve("temporary").toUri().toString());
    assertThat(ToolRunner.run(settings, new ExportSnapshot(), arguments)).isZero();
  }

  @Test
  void theCommandLineExportsToHdfsAndImportsFromThere() throws IOException {
    put(table, "v");
    String target = HDFS.home() + "/exported";
    run("export", table.getNameAsString(), target);
    assertThat(files.exists(new Path(target, "_SUCCESS"))).isTrue();
    assertThat(files.listStatus(new Path(target))).hasSize(3);
    TableName copy = TableName.valueOf(table + "copy");
    create(copy);
    String progress = HDFS.home() + "/progress";
    run("import", copy.getNameAsString(), target, "--progress-dir=" + progress);
    assertThat(cells(copy)).hasSize(100).isEqualTo(cells(table));
    assertThat(files.listStatus(new Path(progress))).as("journals of ended imports").isEmpty();
  }

  private static void run(String command, String... arguments) {
    Configuration client = server.configuration();
    List<String> all = new ArrayList<>(List.of(command));
    for (String key : List.of(HConstants.ZOOKEEPER_QUORUM, HConstants.ZOOKEEPER_CLIENT_PORT)) {
      all.add("-D" + key + "=" + client.get(key));
    }
    all.addAll(List.of(arguments));
    CairnTool run = CairnTool.run(all.toArray(String[]::new));
    assertThat(run.status()).as(run.toString()).isZero();
  }
}
