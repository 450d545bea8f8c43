package dev.cairn.examples;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.Job;

/** The table of {@code bin/cairn demo}: a row {@code group:artifact:version} for each artifact. */
final class Webtable {
  /** A column for each file of the artifact. */
  static final byte[] FILES = Bytes.toBytes("files");

  /** A column for each artifact that this one needs; the value is the kind of the reference. */
  static final byte[] DEPS = Bytes.toBytes("deps");

  private static final int ROWS_OF_A_CALL = 500;

  private Webtable() {}

  /** Returns the group of a row. */
  static String group(byte[] row) {
    String key = Bytes.toString(row);
    int colon = key.indexOf(':');
    return colon < 0 ? key : key.substring(0, colon);
  }

  /**
   * Returns a scan for a job: many rows for each call, and no blocks into the server's cache, since
   * a job reads each block once.
   */
  static Scan scan() {
    return new Scan().setCaching(ROWS_OF_A_CALL).setCacheBlocks(false);
  }

  /**
   * Returns a new job. Speculative execution is off: a second attempt of a task writes everything
   * once more.
   */
  static Job job(Configuration configuration, Class<?> program) throws IOException {
    Job job = Job.getInstance(configuration, program.getSimpleName());
    job.setJarByClass(program);
    job.setSpeculativeExecution(false);
    return job;
  }

  /** Creates a table with one family, unless it exists. */
  static void create(Configuration configuration, String table, byte[] family) throws IOException {
    TableName name = TableName.valueOf(table);
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Admin admin = connection.getAdmin()) {
      if (!admin.tableExists(name)) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family))
                .build());
      }
    }
  }

  /** Runs a job and returns the exit status of its program. */
  static int run(Job job) throws IOException, InterruptedException, ClassNotFoundException {
    return job.waitForCompletion(true) ? 0 : 1;
  }
}
