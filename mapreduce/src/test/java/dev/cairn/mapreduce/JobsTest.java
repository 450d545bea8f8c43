package dev.cairn.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.mapreduce.CellCounter;
import org.apache.hadoop.hbase.mapreduce.CopyTable;
import org.apache.hadoop.hbase.mapreduce.Export;
import org.apache.hadoop.hbase.mapreduce.HashTable;
import org.apache.hadoop.hbase.mapreduce.Import;
import org.apache.hadoop.hbase.mapreduce.ImportTsv;
import org.apache.hadoop.hbase.mapreduce.RowCounter;
import org.apache.hadoop.hbase.mapreduce.SyncTable;
import org.apache.hadoop.hbase.mapreduce.WALPlayer;
import org.apache.hadoop.hbase.mapreduce.replication.VerifyReplication;
import org.apache.hadoop.hbase.tool.BulkLoadHFilesTool;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.CounterGroup;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Apache's own jobs, unmodified, on the local runner. */
class JobsTest {
  private static final int ROWS = 300;

  @TempDir static Path folder;
  private static JobServer server;
  private static TableName source;

  @BeforeAll
  static void start() throws IOException {
    server = JobServer.start(folder);
    source = server.create("source", "fg", "r100", "r200");
    server.put(source, "f", 0, ROWS, 10, "old");
    server.flush(source);
    server.put(source, "f", 50, 150, 20, "new");
    server.put(source, "g", 0, 10, 10, "g");
    try (Table open = server.connection().getTable(source)) {
      open.delete(new Delete(row(5)).addFamily(Bytes.toBytes("g"), 10));
    }
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(JobServer.row(number));
  }

  private static void run(Tool tool, Object... arguments) throws Exception {
    run(server.configuration(), tool, arguments);
  }

  private static void run(Configuration configuration, Tool tool, Object... arguments)
      throws Exception {
    assertThat(ToolRunner.run(configuration, tool, texts(arguments))).isZero();
  }

  private static String[] texts(Object... arguments) {
    return Arrays.stream(arguments).map(Object::toString).toArray(String[]::new);
  }

  private static void complete(Job job) throws Exception {
    assertThat(job.waitForCompletion(false)).isTrue();
  }

  /** Returns a counter of one of HBase's own groups, whose names are those of classes. */
  private static long counter(Job job, String name) throws IOException {
    for (CounterGroup group : job.getCounters()) {
      for (Counter counter : group) {
        if (group.getName().startsWith("org.apache.hadoop.hbase.")
            && counter.getName().equals(name)) {
          return counter.getValue();
        }
      }
    }
    return 0;
  }

  @Test
  @SuppressWarnings("deprecation")
  void rowCounterCountsTheRowsOfATableAndOfARange() throws Exception {
    Job all = RowCounter.createSubmittableJob(server.configuration(), texts(source));
    complete(all);
    assertThat(counter(all, "ROWS")).isEqualTo(ROWS);
    Job range =
        RowCounter.createSubmittableJob(
            server.configuration(), texts(source, "--range=r050,r120", "g:q", "f:q"));
    complete(range);
    assertThat(counter(range, "ROWS")).isEqualTo(70);
  }

  @Test
  void cellCounterCountsByFamilyAndColumn() throws Exception {
    Path output = server.output();
    Job job = CellCounter.createSubmittableJob(server.configuration(), texts(source, output, ":"));
    complete(job);
    assertThat(counter(job, "ROWS")).isEqualTo(ROWS);
    assertThat(JobServer.lines(output))
        .contains(
            "Total ROWS\t300",
            "Total Qualifiers across all Rows\t309",
            "f:q\t300",
            "g:q\t9",
            "r049:f:q_Versions\t1",
            "r050:f:q_Versions\t2");
  }

  @Test
  void importGivesBackWhatExportWroteWithVersionsAndMarkers() throws Exception {
    Path output = server.output();
    Configuration raw = server.configuration();
    raw.setBoolean("hbase.mapreduce.include.deleted.rows", true);
    Job export = Export.createSubmittableJob(raw, texts(source, output, 3));
    complete(export);
    assertThat(export.getCounters().findCounter("HBaseCounters", "ROWS_SCANNED").getValue())
        .isEqualTo(ROWS);
    TableName copy = server.create("imported", "fg", "r150");
    complete(Import.createSubmittableJob(server.configuration(), texts(copy, output)));
    assertThat(server.cells(copy)).isEqualTo(server.cells(source)).hasSize(411);
    Path files = server.output();
    Configuration bulk = server.configuration();
    bulk.set("import.bulk.output", files.toString());
    bulk.setBoolean("import.bulk.hasLargeResult", true);
    TableName loaded = server.create("loaded", "fg", "r150");
    complete(Import.createSubmittableJob(bulk, texts(loaded, output)));
    run(new BulkLoadHFilesTool(server.configuration()), files, loaded);
    assertThat(server.cells(loaded)).isEqualTo(server.cells(source));
  }

  @Test
  void copyTableCopiesARangeAndRenamesAFamily() throws Exception {
    TableName copy = server.create("copied", "h");
    run(
        new CopyTable(),
        "--new.name=" + copy,
        "--families=f:h",
        "--startrow=r040",
        "--stoprow=r060",
        "--versions=2",
        source);
    assertThat(server.cells(copy))
        .hasSize(30)
        .contains("r049/h:q/10/Put/vlen=3=old", "r050/h:q/20/Put/vlen=3=new");
  }

  @Test
  void importTsvLoadsLinesByPutsAndByFiles() throws Exception {
    Path input = Files.createDirectories(server.output());
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      lines.add("r%03d|%d|text %d".formatted(i, 1000 + i, i));
    }
    lines.add("too short");
    Files.write(input.resolve("lines.txt"), lines);
    String columns = "-Dimporttsv.columns=HBASE_ROW_KEY,HBASE_TS_KEY,f:text";
    String separator = "-Dimporttsv.separator=|";
    TableName puts = server.create("tsvputs", "f");
    run(new ImportTsv(), columns, separator, puts, input);
    assertThat(server.cells(puts)).hasSize(100).contains("r042/f:text/1042/Put/vlen=7=text 42");
    TableName loaded = server.create("tsvfiles", "f", "r030", "r060");
    Path files = server.output();
    run(new ImportTsv(), columns, separator, "-Dimporttsv.bulk.output=" + files, loaded, input);
    assertThat(server.cells(loaded)).isEmpty();
    run(new BulkLoadHFilesTool(server.configuration()), files, loaded);
    assertThat(server.cells(loaded)).isEqualTo(server.cells(puts));
  }

  @Test
  void syncTableMakesATableEqualToTheHashedOne() throws Exception {
    Path hashes = server.output();
    run(
        new HashTable(server.configuration()),
        "--batchsize=200",
        "--numhashfiles=2",
        source,
        hashes);
    TableName target = server.create("target", "fg", "r120");
    server.put(target, "f", 0, 299, 10, "old");
    server.put(target, "f", 50, 150, 20, "new");
    server.put(target, "g", 0, 5, 10, "g");
    server.put(target, "g", 6, 11, 10, "g"); // one too many
    Configuration configuration = server.configuration();
    List<Job> jobs = new ArrayList<>();
    run(
        configuration,
        new SyncTable(configuration) {
          @Override
          public Job createSubmittableJob(String[] arguments) throws IOException {
            jobs.add(super.createSubmittableJob(arguments));
            return jobs.get(0);
          }
        },
        hashes,
        source,
        target);
    Job job = jobs.get(0);
    assertThat(counter(job, "ROWSWITHDIFFS")).isEqualTo(2);
    assertThat(counter(job, "TARGETMISSINGROWS")).isEqualTo(1);
    assertThat(counter(job, "SOURCEMISSINGCELLS")).isEqualTo(1);
    Scan all = new Scan().readAllVersions();
    assertThat(server.cells(target, all)).isEqualTo(server.cells(source, all));
  }

  @Test
  void verifyReplicationComparesTwoTables() throws Exception {
    TableName peer = server.create("peer", "fg");
    server.put(peer, "f", 0, ROWS - 1, 10, "old");
    server.put(peer, "f", 50, 150, 20, "new");
    server.put(peer, "g", 0, 5, 10, "g");
    server.put(peer, "g", 6, 10, 10, "G");
    Configuration configuration = server.configuration();
    String cluster =
        configuration.get("hbase.zookeeper.quorum")
            + ":"
            + configuration.get("hbase.zookeeper.property.clientPort")
            + ":/hbase";
    Job job =
        new VerifyReplication()
            .createSubmittableJob(configuration, texts("--peerTableName=" + peer, cluster, source));
    complete(job);
    assertThat(counter(job, "GOODROWS")).isEqualTo(ROWS - 5);
    assertThat(counter(job, "CONTENT_DIFFERENT_ROWS")).isEqualTo(4);
    assertThat(counter(job, "ONLY_IN_SOURCE_TABLE_ROWS")).isEqualTo(1);
  }

  @Test
  void walPlayerAppliesALogToAnotherTable() throws Exception {
    TableName replayed = server.create("replayed", "fg");
    try (Admin admin = server.connection().getAdmin()) {
      admin.rollWALWriter(admin.getRegionServers().iterator().next());
    }
    Configuration configuration = server.configuration();
    configuration.setBoolean("hbase.mapreduce.input.wal.ignore.missing.files", true);
    run(configuration, new WALPlayer(), server.logs(), source, replayed);
    assertThat(server.cells(replayed)).isEqualTo(server.cells(source));
  }
}
