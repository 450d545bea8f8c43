package dev.cairn.examples;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;

/** Read only: counts the references of all artifacts, with a counter for each kind. */
final class CountKinds implements Program {
  /** The group of the counters. */
  static final String GROUP = "References";

  @Override
  public Job job(Configuration configuration, String[] arguments) throws IOException {
    Job job = Webtable.job(configuration, CountKinds.class);
    TableMapReduceUtil.initTableMapperJob(
        arguments[0],
        Webtable.scan().addFamily(Webtable.DEPS),
        Counting.class,
        NullWritable.class,
        NullWritable.class,
        job,
        true,
        DomainInputFormat.class);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(NullOutputFormat.class);
    return job;
  }

  /** Writes nothing, so that a task may run twice. */
  public static final class Counting extends TableMapper<NullWritable, NullWritable> {
    @Override
    protected void map(ImmutableBytesWritable row, Result artifact, Context context) {
      for (Cell cell : artifact.rawCells()) {
        context.getCounter(GROUP, Bytes.toString(CellUtil.cloneValue(cell))).increment(1);
      }
    }
  }
}
