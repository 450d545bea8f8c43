package dev.cairn.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.HFileOutputFormat2;
import org.apache.hadoop.hbase.mapreduce.HRegionPartitioner;
import org.apache.hadoop.hbase.mapreduce.IncrementalLoads;
import org.apache.hadoop.hbase.mapreduce.MultiTableHFileOutputFormat;
import org.apache.hadoop.hbase.mapreduce.MultiTableOutputFormat;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.hbase.mapreduce.TableReducer;
import org.apache.hadoop.hbase.mapreduce.TableSplit;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The input and output formats of Apache's library, in jobs as users write them. */
class FormatsTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final int MEGABYTE = 1 << 20;

  @TempDir static Path folder;
  private static JobServer server;
  private static TableName source;

  @BeforeAll
  static void start() throws IOException {
    server = JobServer.start(folder);
    source = server.create("source", "f", "r100", "r200");
    server.put(source, "f", 0, 300, 10, "v");
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  /** Passes rows on as puts. */
  public static final class Copying extends TableMapper<ImmutableBytesWritable, Mutation> {
    @Override
    protected void map(ImmutableBytesWritable row, Result cells, Context context)
        throws IOException, InterruptedException {
      Put put = new Put(row.copyBytes());
      for (Cell cell : cells.rawCells()) {
        put.add(cell);
      }
      context.write(row, put);
    }
  }

  /** Sends odd rows to one table and the others to another. */
  public static final class Dividing extends TableMapper<ImmutableBytesWritable, Mutation> {
    @Override
    protected void map(ImmutableBytesWritable row, Result cells, Context context)
        throws IOException, InterruptedException {
      byte[] key = row.copyBytes();
      String table = key[key.length - 1] % 2 == 1 ? "odd" : "even";
      context.write(
          new ImmutableBytesWritable(Bytes.toBytes(table)), new Put(key).addColumn(F, Q, 1, key));
    }
  }

  /** Writes what it gets. */
  public static final class Writing
      extends TableReducer<ImmutableBytesWritable, Mutation, ImmutableBytesWritable> {
    @Override
    protected void reduce(ImmutableBytesWritable row, Iterable<Mutation> mutations, Context context)
        throws IOException, InterruptedException {
      context
          .getCounter("reducers", "" + context.getTaskAttemptID().getTaskID().getId())
          .increment(1);
      for (Mutation mutation : mutations) {
        context.write(row, mutation);
      }
    }
  }

  /** Emits cells for the files of two tables. */
  public static final class Loading extends TableMapper<ImmutableBytesWritable, KeyValue> {
    @Override
    protected void map(ImmutableBytesWritable row, Result cells, Context context)
        throws IOException, InterruptedException {
      byte[] key = row.copyBytes();
      for (String table : List.of("many1", "many2")) {
        context.write(
            new ImmutableBytesWritable(MultiTableHFileOutputFormat.createCompositeKey(table, row)),
            new KeyValue(key, F, Q, 5, Bytes.toBytes(table)));
      }
    }
  }

  /** Counts only. */
  public static final class Counting extends TableMapper<NullWritable, NullWritable> {
    @Override
    protected void map(ImmutableBytesWritable row, Result cells, Context context) {
      context
          .getCounter("cells", CellUtil.cloneValue(cells.rawCells()[0]).length + "")
          .increment(1);
    }
  }

  private static Job job(Configuration configuration) throws IOException {
    Job job = Job.getInstance(configuration);
    job.setJarByClass(FormatsTest.class);
    return job;
  }

  private static void complete(Job job) throws Exception {
    assertThat(job.waitForCompletion(false)).isTrue();
  }

  private static long inputs(Job job) throws IOException {
    return job.getCounters().findCounter(TaskCounter.MAP_INPUT_RECORDS).getValue();
  }

  private static Table open(TableName table) throws IOException {
    return server.connection().getTable(table);
  }

  @Test
  void splitsAreTheRegionsWithTheirSizesAndHosts() throws Exception {
    TableName sized = server.create("sized", "f", "m");
    byte[] random = new byte[MEGABYTE];
    new Random(1).nextBytes(random);
    try (Table table = open(sized)) {
      for (int i = 0; i < 3; i++) {
        table.put(new Put(Bytes.toBytes("a" + i)).addColumn(F, Q, random));
      }
    }
    server.flush(sized);
    Configuration configuration = server.configuration();
    configuration.set(TableInputFormat.INPUT_TABLE, sized.getNameAsString());
    TableInputFormat format = new TableInputFormat();
    format.setConf(configuration);
    List<InputSplit> splits = format.getSplits(job(configuration));
    assertThat(splits).hasSize(2);
    assertThat(splits.get(0).getLength()).isBetween(3L * MEGABYTE, 4L * MEGABYTE);
    assertThat(splits.get(1).getLength()).isZero();
    String host;
    try (RegionLocator locator = server.connection().getRegionLocator(sized)) {
      host = locator.getRegionLocation(Bytes.toBytes("a")).getHostname();
    }
    assertThat(splits)
        .allSatisfy(
            split -> assertThat(((TableSplit) split).getRegionLocation()).isIn(host, "localhost"));
  }

  @Test
  void regionsAreDividedAmongSeveralMappers() throws Exception {
    Configuration configuration = server.configuration();
    configuration.setInt("hbase.mapreduce.tableinput.mappers.per.region", 3);
    Job job = job(configuration);
    TableMapReduceUtil.initTableMapperJob(
        source.getNameAsString(),
        new Scan().withStartRow(Bytes.toBytes("r000")).withStopRow(Bytes.toBytes("r999")),
        Counting.class,
        NullWritable.class,
        NullWritable.class,
        job,
        false);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(NullOutputFormat.class);
    complete(job);
    assertThat(inputs(job)).isEqualTo(300);
  }

  @Test
  void scanCachingIsTheRowsOfACall() throws Exception {
    assertThat(calls(10)).isBetween(30L, 39L);
    assertThat(calls(100)).isBetween(3L, 9L);
  }

  private static long calls(int caching) throws Exception {
    Job job = job(server.configuration());
    TableMapReduceUtil.initTableMapperJob(
        source.getNameAsString(),
        new Scan().setCaching(caching).setCacheBlocks(false),
        Counting.class,
        NullWritable.class,
        NullWritable.class,
        job,
        false);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(NullOutputFormat.class);
    complete(job);
    assertThat(inputs(job)).isEqualTo(300);
    return job.getCounters().findCounter("HBaseCounters", "RPC_CALLS").getValue();
  }

  @Test
  void aReducerForEachRegionWritesATable() throws Exception {
    TableName target = server.create("target", "f", "r050", "r250");
    Job job = job(server.configuration());
    TableMapReduceUtil.initTableMapperJob(
        source.getNameAsString(),
        new Scan(),
        Copying.class,
        ImmutableBytesWritable.class,
        Put.class,
        job,
        false);
    TableMapReduceUtil.initTableReducerJob(
        target.getNameAsString(), Writing.class, job, HRegionPartitioner.class, null, false);
    job.setNumReduceTasks(3);
    complete(job);
    assertThat(job.getCounters().findCounter("reducers", "0").getValue()).isEqualTo(50);
    assertThat(job.getCounters().findCounter("reducers", "1").getValue()).isEqualTo(200);
    assertThat(job.getCounters().findCounter("reducers", "2").getValue()).isEqualTo(50);
    assertThat(server.cells(target)).isEqualTo(server.cells(source));
  }

  @Test
  void severalTablesAreReadAndWrittenByOneJob() throws Exception {
    TableName other = server.create("other", "f");
    server.put(other, "f", 300, 310, 1, "w");
    TableName odd = server.create("odd", "f");
    TableName even = server.create("even", "f");
    List<Scan> scans =
        List.of(
            scan(source).withStartRow(Bytes.toBytes("r290")),
            scan(other).withStopRow(Bytes.toBytes("r305")));
    Job job = job(server.configuration());
    TableMapReduceUtil.initTableMapperJob(
        scans, Dividing.class, ImmutableBytesWritable.class, Mutation.class, job, false);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(MultiTableOutputFormat.class);
    complete(job);
    assertThat(inputs(job)).isEqualTo(15);
    assertThat(server.cells(odd))
        .hasSize(7)
        .startsWith("r291/f:q/1/Put/vlen=4=r291")
        .endsWith("r303/f:q/1/Put/vlen=4=r303");
    assertThat(server.cells(even)).hasSize(8);
  }

  private static Scan scan(TableName table) {
    return new Scan().setAttribute(Scan.SCAN_ATTRIBUTES_TABLE_NAME, table.getName());
  }

  @Test
  void filesOfAJobAreLoadedIntoSeveralTables() throws Exception {
    List<TableName> tables =
        List.of(server.create("many1", "f", "r150"), server.create("many2", "f", "r010", "r020"));
    Job job = job(server.configuration());
    TableMapReduceUtil.initTableMapperJob(
        source.getNameAsString(),
        new Scan(),
        Loading.class,
        ImmutableBytesWritable.class,
        KeyValue.class,
        job,
        false);
    Path output = server.output();
    FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(output.toUri()));
    IncrementalLoads.configure(job, server.connection(), tables);
    assertThat(job.getNumReduceTasks()).isEqualTo(5);
    complete(job);
    for (TableName table : tables) {
      Path files = output.resolve(table.getNameAsString());
      BulkLoadHFiles.create(server.configuration())
          .bulkLoad(table, new org.apache.hadoop.fs.Path(files.toUri()));
      assertThat(server.cells(table))
          .hasSize(300)
          .contains("r015/f:q/5/Put/vlen=5=" + table.getNameAsString());
    }
  }

  @Test
  void filesOfAJobAreLoadedIntoATableThatSplitMeanwhile() throws Exception {
    TableName table = server.create("split", "f", "r150");
    Job job = job(server.configuration());
    TableMapReduceUtil.initTableMapperJob(
        source.getNameAsString(),
        new Scan(),
        Copying.class,
        ImmutableBytesWritable.class,
        Put.class,
        job,
        false);
    Path output = server.output();
    FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(output.toUri()));
    try (Table open = open(table);
        RegionLocator locator = server.connection().getRegionLocator(table)) {
      HFileOutputFormat2.configureIncrementalLoad(job, open, locator);
    }
    complete(job);
    server.put(table, "f", 0, 300, 1, "before");
    server.split(table, "r070");
    BulkLoadHFiles.create(server.configuration())
        .bulkLoad(table, new org.apache.hadoop.fs.Path(output.toUri()));
    assertThat(server.cells(table, new Scan())).isEqualTo(server.cells(source));
  }

  @Test
  void theOldPackageCountsRowsAndWritesTables() throws Exception {
    Path output = server.output();
    assertThat(
            ToolRunner.run(
                server.configuration(),
                new org.apache.hadoop.hbase.mapred.RowCounter(),
                new String[] {output.toString(), source.getNameAsString(), "f:q"}))
        .isZero();
    TableName target = server.create("oldtarget", "f", "r100");
    JobConf job = new JobConf(server.configuration(), FormatsTest.class);
    org.apache.hadoop.hbase.mapred.TableMapReduceUtil.initTableMapJob(
        source.getNameAsString(),
        "f:q",
        OldCopying.class,
        ImmutableBytesWritable.class,
        Put.class,
        job,
        false);
    org.apache.hadoop.hbase.mapred.TableMapReduceUtil.initTableReduceJob(
        target.getNameAsString(),
        org.apache.hadoop.hbase.mapred.IdentityTableReduce.class,
        job,
        org.apache.hadoop.hbase.mapred.HRegionPartitioner.class,
        false);
    // Hadoop's part for the old package asks for a folder, in which nothing is written.
    org.apache.hadoop.mapred.FileOutputFormat.setOutputPath(
        job, new org.apache.hadoop.fs.Path(server.output().toUri()));
    assertThat(org.apache.hadoop.mapred.JobClient.runJob(job).isSuccessful()).isTrue();
    assertThat(server.cells(target)).isEqualTo(server.cells(source));
  }

  /** Passes rows on as puts, for the old package. */
  public static final class OldCopying extends org.apache.hadoop.mapred.MapReduceBase
      implements org.apache.hadoop.hbase.mapred.TableMap<ImmutableBytesWritable, Put> {
    @Override
    public void map(
        ImmutableBytesWritable row,
        Result cells,
        org.apache.hadoop.mapred.OutputCollector<ImmutableBytesWritable, Put> output,
        org.apache.hadoop.mapred.Reporter reporter)
        throws IOException {
      Put put = new Put(row.copyBytes());
      for (Cell cell : cells.rawCells()) {
        put.add(cell);
      }
      output.collect(row, put);
    }
  }
}
