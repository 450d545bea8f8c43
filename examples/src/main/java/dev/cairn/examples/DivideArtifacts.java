package dev.cairn.examples;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.MultiTableOutputFormat;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.Job;

/**
 * Output to several tables: artifacts with dependencies go to the first, all others to the second.
 */
final class DivideArtifacts implements Program {
  private static final String WITH = "example.divide.with";
  private static final String WITHOUT = "example.divide.without";
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] COUNT = Bytes.toBytes("dependencies");

  @Override
  public Job job(Configuration configuration, String[] arguments) throws IOException {
    Webtable.create(configuration, arguments[1], FAMILY);
    Webtable.create(configuration, arguments[2], FAMILY);
    Job job = Webtable.job(configuration, DivideArtifacts.class);
    job.getConfiguration().set(WITH, arguments[1]);
    job.getConfiguration().set(WITHOUT, arguments[2]);
    TableMapReduceUtil.initTableMapperJob(
        arguments[0],
        Webtable.scan().addFamily(Webtable.DEPS).addFamily(Webtable.FILES),
        Dividing.class,
        ImmutableBytesWritable.class,
        Put.class,
        job);
    job.setOutputFormatClass(MultiTableOutputFormat.class);
    job.setNumReduceTasks(0);
    return job;
  }

  /** Names the table of a put by the key of the output. */
  public static final class Dividing extends TableMapper<ImmutableBytesWritable, Put> {
    private ImmutableBytesWritable with;
    private ImmutableBytesWritable without;

    @Override
    protected void setup(Context context) {
      Configuration configuration = context.getConfiguration();
      with = new ImmutableBytesWritable(Bytes.toBytes(configuration.get(WITH)));
      without = new ImmutableBytesWritable(Bytes.toBytes(configuration.get(WITHOUT)));
    }

    @Override
    protected void map(ImmutableBytesWritable row, Result artifact, Context context)
        throws IOException, InterruptedException {
      int count = artifact.getFamilyMap(Webtable.DEPS).size();
      Put put = new Put(row.get(), row.getOffset(), row.getLength());
      put.addColumn(FAMILY, COUNT, Bytes.toBytes(Integer.toString(count)));
      context.write(count > 0 ? with : without, put);
    }
  }
}
