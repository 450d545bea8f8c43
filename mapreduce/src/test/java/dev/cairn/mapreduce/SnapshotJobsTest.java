package dev.cairn.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.hbase.snapshot.ExportSnapshot;
import org.apache.hadoop.hbase.snapshot.SnapshotInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.RegionSplitter;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Apache's tools and input formats for snapshots, unmodified, on Cairn's folder. */
class SnapshotJobsTest {
  private static final int ROWS = 300;

  @TempDir static Path folder;
  @TempDir static Path other;
  private static JobServer server;

  @BeforeAll
  static void start() throws Exception {
    server = JobServer.start(folder);
    TableName plain = server.create("plain", "fg", "r100");
    server.put(plain, "f", 0, ROWS, 10, "old");
    server.flush(plain);
    server.put(plain, "f", 50, 150, 20, "new");
    TableName split = server.create("split", "f");
    server.put(split, "f", 0, ROWS, 10, "v");
    TableName mob = TableName.valueOf("mob");
    try (Admin admin = server.connection().getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(mob)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f"))
                      .setMobEnabled(true)
                      .setMobThreshold(3)
                      .build())
              .build());
      server.put(mob, "f", 0, ROWS, 10, "large value");
      admin.compactionSwitch(false, List.of());
      server.split(split, "r150");
      admin.snapshot("of-plain", plain);
      admin.snapshot("of-split", split);
      admin.snapshot("of-mob", mob);
      admin.cloneSnapshot("of-split", TableName.valueOf("cloned"));
      admin.snapshot("of-cloned", TableName.valueOf("cloned"));
    }
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @Test
  void exportedSnapshotsAreClonedByAnotherCluster() throws Exception {
    try (JobServer target = JobServer.start(other);
        Admin admin = target.connection().getAdmin()) {
      for (String table : List.of("plain", "split", "mob", "cloned")) {
        assertThat(
                ToolRunner.run(
                    server.configuration(),
                    new ExportSnapshot(),
                    new String[] {
                      "-snapshot",
                      "of-" + table,
                      "-copy-to",
                      other.resolve("data").toUri().toString(),
                      "-mappers",
                      "2",
                      "-no-checksum-verify"
                    }))
            .as(table)
            .isZero();
        TableName copy = TableName.valueOf("copy_" + table);
        admin.cloneSnapshot("of-" + table, copy);
        Scan versions = new Scan().readAllVersions();
        assertThat(target.cells(copy, versions))
            .as(table)
            .hasSizeGreaterThanOrEqualTo(ROWS)
            .isEqualTo(server.cells(TableName.valueOf(table), versions));
      }
    }
  }

  /** Notes the rows that it reads. */
  public static final class Noting extends TableMapper<NullWritable, NullWritable> {
    static final Set<String> ROWS_READ = new ConcurrentSkipListSet<>();

    @Override
    protected void map(ImmutableBytesWritable row, Result cells, Context context) {
      ROWS_READ.add(Bytes.toString(row.copyBytes()) + "=" + Bytes.toString(cells.value()));
      context.getCounter("rows", "read").increment(1);
    }
  }

  @Test
  void jobsReadSnapshotsWithoutTheServers() throws Exception {
    for (String table : List.of("plain", "split", "mob", "cloned")) {
      Noting.ROWS_READ.clear();
      Job job = Job.getInstance(offline());
      TableMapReduceUtil.initTableSnapshotMapperJob(
          "of-" + table,
          new Scan(),
          Noting.class,
          NullWritable.class,
          NullWritable.class,
          job,
          false,
          new org.apache.hadoop.fs.Path(server.output().toUri()),
          new RegionSplitter.UniformSplit(),
          2);
      run(job);
      assertThat(job.getCounters().findCounter("rows", "read").getValue()).isEqualTo(ROWS);
      assertThat(Noting.ROWS_READ).as(table).isEqualTo(rows(table));
    }
  }

  @Test
  void aJobReadsSeveralSnapshots() throws Exception {
    Job job = Job.getInstance(offline());
    TableMapReduceUtil.initMultiTableSnapshotMapperJob(
        Map.of("of-plain", List.of(new Scan()), "of-split", List.of(new Scan())),
        Noting.class,
        NullWritable.class,
        NullWritable.class,
        job,
        false,
        new org.apache.hadoop.fs.Path(server.output().toUri()));
    run(job);
    assertThat(job.getCounters().findCounter("rows", "read").getValue()).isEqualTo(2 * ROWS);
  }

  private static void run(Job job) throws Exception {
    job.setJarByClass(SnapshotJobsTest.class);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(NullOutputFormat.class);
    assertThat(job.waitForCompletion(false)).isTrue();
  }

  private static Configuration offline() {
    Configuration settings = server.configuration();
    settings.unset("hbase.client.bootstrap.servers");
    return settings;
  }

  private static Set<String> rows(String table) throws IOException {
    Set<String> rows = new TreeSet<>();
    for (String cell : server.cells(TableName.valueOf(table), new Scan())) {
      rows.add(cell.substring(0, cell.indexOf('/')) + cell.substring(cell.lastIndexOf('=')));
    }
    return rows;
  }

  @Test
  void snapshotInfoFindsAllFiles() throws Exception {
    Configuration settings = offline();
    try (Admin admin = server.connection().getAdmin()) {
      for (var snapshot : admin.listSnapshots()) {
        SnapshotInfo.SnapshotStats stats = SnapshotInfo.getSnapshotStats(settings, snapshot);
        assertThat(stats.isSnapshotCorrupted()).as(snapshot.getName()).isFalse();
        assertThat(stats.getMissingStoreFilesCount()).isZero();
        assertThat(stats.getStoreFilesCount()).isPositive();
      }
    }
    assertThat(SnapshotInfo.getSnapshotList(settings)).hasSize(4);
  }
}
