package dev.cairn.examples;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableReducer;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;

/** Summary into a table: a row for each group. */
final class SummarizeToTable implements Program {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] COUNT = Bytes.toBytes("artifacts");

  @Override
  public Job job(Configuration configuration, String[] arguments) throws IOException {
    Webtable.create(configuration, arguments[1], FAMILY);
    Job job = Webtable.job(configuration, SummarizeToTable.class);
    GroupCounts.initMapper(arguments[0], job);
    TableMapReduceUtil.initTableReducerJob(arguments[1], Writing.class, job);
    job.setNumReduceTasks(1);
    return job;
  }

  /** Puts the sum of a group. */
  public static final class Writing
      extends TableReducer<Text, IntWritable, ImmutableBytesWritable> {
    @Override
    protected void reduce(Text group, Iterable<IntWritable> counts, Context context)
        throws IOException, InterruptedException {
      int sum = 0;
      for (IntWritable count : counts) {
        sum += count.get();
      }
      Put put = new Put(Bytes.toBytes(group.toString()));
      put.addColumn(FAMILY, COUNT, Bytes.toBytes(Integer.toString(sum)));
      context.write(null, put);
    }
  }
}
