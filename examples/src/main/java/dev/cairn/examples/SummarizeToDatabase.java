package dev.cairn.examples;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.postgresql.Driver;

/**
 * Summary into a relational database, PostgreSQL. A reduce task has one connection and one
 * transaction; it replaces the counts of earlier attempts.
 */
final class SummarizeToDatabase implements Program {
  private static final String URL = "example.summarize.jdbc.url";

  @Override
  public Job job(Configuration configuration, String[] arguments) throws IOException {
    Job job = Webtable.job(configuration, SummarizeToDatabase.class);
    job.getConfiguration().set(URL, arguments[1]);
    GroupCounts.initMapper(arguments[0], job);
    job.setReducerClass(Writing.class);
    job.setNumReduceTasks(1);
    job.setOutputFormatClass(NullOutputFormat.class);
    TableMapReduceUtil.addDependencyJarsForClasses(job.getConfiguration(), Driver.class);
    return job;
  }

  /** Writes the sum of each group. */
  public static final class Writing extends Reducer<Text, IntWritable, NullWritable, NullWritable> {
    private Connection connection;
    private PreparedStatement statement;

    @Override
    protected void setup(Context context) throws IOException {
      try {
        connection = DriverManager.getConnection(context.getConfiguration().get(URL));
        connection.setAutoCommit(false);
        try (Statement create = connection.createStatement()) {
          create.execute(
              "CREATE TABLE IF NOT EXISTS artifacts (name text PRIMARY KEY, count int NOT NULL)");
        }
        statement =
            connection.prepareStatement(
                "INSERT INTO artifacts VALUES (?, ?)"
                    + " ON CONFLICT (name) DO UPDATE SET count = excluded.count");
      } catch (SQLException e) {
        throw new IOException("cannot write to the database: " + e.getMessage(), e);
      }
    }

    @Override
    protected void reduce(Text group, Iterable<IntWritable> counts, Context context)
        throws IOException {
      int sum = 0;
      for (IntWritable count : counts) {
        sum += count.get();
      }
      try {
        statement.setString(1, group.toString());
        statement.setInt(2, sum);
        statement.addBatch();
      } catch (SQLException e) {
        throw new IOException("cannot write the group " + group + ": " + e.getMessage(), e);
      }
    }

    @Override
    public void run(Context context) throws IOException, InterruptedException {
      try {
        super.run(context);
        statement.executeBatch();
        connection.commit(); // not in cleanup, which Hadoop calls after a failure, too
      } catch (SQLException e) {
        throw new IOException("cannot write to the database: " + e.getMessage(), e);
      } finally {
        close();
      }
    }

    private void close() throws IOException {
      try {
        if (connection != null) {
          connection.close();
        }
      } catch (SQLException e) {
        throw new IOException("cannot close the database: " + e.getMessage(), e);
      }
    }
  }
}
