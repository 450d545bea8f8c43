package dev.cairn.examples;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;

/**
 * Summary without a reducer: each map task adds its sums to the counters of a table. A task that
 * fails after its first increment and runs again counts twice, so this job does not repeat tasks.
 */
final class SummarizeInMapper implements Program {
  private static final String TARGET = "example.summarize.target";
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] COUNT = Bytes.toBytes("artifacts");

  @Override
  public Job job(Configuration configuration, String[] arguments) throws IOException {
    Webtable.create(configuration, arguments[1], FAMILY);
    Job job = Webtable.job(configuration, SummarizeInMapper.class);
    job.getConfiguration().set(TARGET, arguments[1]);
    job.setMaxMapAttempts(1);
    TableMapReduceUtil.initTableMapperJob(
        arguments[0],
        GroupCounts.scan(),
        Counting.class,
        NullWritable.class,
        NullWritable.class,
        job);
    job.setOutputFormatClass(NullOutputFormat.class);
    job.setNumReduceTasks(0);
    return job;
  }

  /** Adds up in memory, and writes once at the end. */
  public static final class Counting extends TableMapper<NullWritable, NullWritable> {
    private final Map<String, Integer> sums = new TreeMap<>();

    @Override
    protected void map(ImmutableBytesWritable row, Result artifact, Context context) {
      sums.merge(Webtable.group(artifact.getRow()), 1, Integer::sum);
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      Configuration configuration = context.getConfiguration();
      List<Row> increments = new ArrayList<>();
      sums.forEach(
          (group, sum) ->
              increments.add(new Increment(Bytes.toBytes(group)).addColumn(FAMILY, COUNT, sum)));
      try (Connection connection = ConnectionFactory.createConnection(configuration);
          Table table = connection.getTable(TableName.valueOf(configuration.get(TARGET)))) {
        table.batch(increments, new Object[increments.size()]);
      }
    }
  }
}
