package dev.cairn.examples;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;

/** The part that the summaries share: how many artifacts each group has. */
final class GroupCounts {
  private GroupCounts() {}

  /** Returns the scan: the artifacts that have files, and no values. */
  static Scan scan() {
    return Webtable.scan().addFamily(Webtable.FILES).setFilter(new KeyOnlyFilter());
  }

  /** Sets the input, the mapper and the combiner, which adds up what one map task emits. */
  static void initMapper(String table, Job job) throws IOException {
    TableMapReduceUtil.initTableMapperJob(
        table, scan(), Counting.class, Text.class, IntWritable.class, job);
    job.setCombinerClass(IntSumReducer.class);
  }

  /** Emits a one for each artifact. */
  public static final class Counting extends TableMapper<Text, IntWritable> {
    private static final IntWritable ONE = new IntWritable(1);
    private final Text group = new Text();

    @Override
    protected void map(ImmutableBytesWritable row, Result artifact, Context context)
        throws IOException, InterruptedException {
      group.set(Webtable.group(artifact.getRow()));
      context.write(group, ONE);
    }
  }
}
