package dev.cairn.studies.joins;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;

/** MapReduce jobs that write lines of text, which the client then reads. */
final class Jobs {
  private static final String SUMMED = "joins.summed";
  private static final String FRAMEWORK = "mapreduce.framework.name";
  private static final String LOCAL = "local";
  private static final String POLL_MILLIS = "20";
  private static final String MAP_THREADS = "2";

  private Jobs() {}

  /** Adds mappers, reducers and their input. */
  interface Parts {
    /**
     * Completes a job.
     *
     * @param jars whether the job takes its libraries along
     */
    void add(Job job, boolean jars) throws IOException;
  }

  /** Runs a job, and returns the answer to a question. */
  static Line.Answer run(Connection connection, Ask asked, Class<?> program, Parts parts)
      throws IOException {
    Configuration configuration = HBaseConfiguration.create(connection.getConfiguration());
    configuration.setBoolean(SUMMED, asked.summed());
    boolean local = configuration.get(FRAMEWORK, LOCAL).equals(LOCAL);
    if (local) {
      configuration.set("mapreduce.local.map.tasks.maximum", MAP_THREADS);
      // By default, the end of a job is seen up to five seconds later.
      configuration.set("mapreduce.client.completion.pollinterval", POLL_MILLIS);
    }
    Path output = new Path(configuration.get("hadoop.tmp.dir"), "join-" + UUID.randomUUID());
    FileSystem files = output.getFileSystem(configuration);
    try {
      Job job = Job.getInstance(configuration, program.getSimpleName());
      job.setJarByClass(program);
      parts.add(job, !local);
      job.setOutputKeyClass(NullWritable.class);
      job.setOutputValueClass(Text.class);
      job.setOutputFormatClass(TextOutputFormat.class);
      FileOutputFormat.setOutputPath(job, output);
      if (!job.waitForCompletion(false)) {
        throw new IOException("The job " + job.getJobID() + " has failed");
      }
      return read(files, output, asked);
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException().initCause(e);
    } finally {
      files.delete(output, true);
    }
  }

  private static Line.Answer read(FileSystem files, Path output, Ask asked) throws IOException {
    Line.Answer answer = new Line.Answer(asked.summed());
    for (FileStatus file : files.listStatus(output, path -> path.getName().startsWith("part-"))) {
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(files.open(file.getPath()), StandardCharsets.UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          if (asked.summed()) {
            String[] sum = line.split("\t");
            answer.add(sum[0], Long.parseLong(sum[1]));
          } else {
            answer.accept(Line.parse(line));
          }
        }
      }
    }
    return answer;
  }

  /** Returns what a task collects. */
  static Line.Answer task(Configuration configuration) {
    return new Line.Answer(configuration.getBoolean(SUMMED, false));
  }

  /** Where a task writes. */
  interface Output {
    /** Writes a line. */
    void write(NullWritable key, Text line) throws IOException, InterruptedException;
  }

  /** Writes a joined line, or adds it to the sums of the task. */
  static void write(Line.Answer sums, Line line, Output output)
      throws IOException, InterruptedException {
    if (sums.isSummed()) {
      sums.accept(line);
    } else {
      output.write(NullWritable.get(), new Text(line.text()));
    }
  }

  /** Writes the sums of a task. */
  static void write(Line.Answer sums, Output output) throws IOException, InterruptedException {
    for (Line.Sum sum : sums.sums()) {
      output.write(NullWritable.get(), new Text(sum.country() + "\t" + sum.amount()));
    }
  }
}
