package dev.cairn.examples;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.mapreduce.Job;

/** Read and write: copies the family {@code files} to another table, without a reducer. */
final class CopyFiles implements Program {
  @Override
  public Job job(Configuration configuration, String[] arguments) throws IOException {
    Webtable.create(configuration, arguments[1], Webtable.FILES);
    Job job = Webtable.job(configuration, CopyFiles.class);
    TableMapReduceUtil.initTableMapperJob(
        arguments[0],
        Webtable.scan().addFamily(Webtable.FILES),
        Copying.class,
        ImmutableBytesWritable.class,
        Put.class,
        job);
    TableMapReduceUtil.initTableReducerJob(arguments[1], null, job);
    job.setNumReduceTasks(0);
    return job;
  }

  /** Passes each row on as a put. */
  public static final class Copying extends TableMapper<ImmutableBytesWritable, Put> {
    @Override
    protected void map(ImmutableBytesWritable row, Result artifact, Context context)
        throws IOException, InterruptedException {
      Put put = new Put(row.get(), row.getOffset(), row.getLength());
      for (Cell cell : artifact.rawCells()) {
        put.add(cell);
      }
      context.write(row, put);
    }
  }
}
