package dev.cairn.examples;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;

/** Summary into files: a line for each group. The reducer is Hadoop's own. */
final class SummarizeToFiles implements Program {
  @Override
  public Job job(Configuration configuration, String[] arguments) throws IOException {
    Job job = Webtable.job(configuration, SummarizeToFiles.class);
    GroupCounts.initMapper(arguments[0], job);
    job.setReducerClass(IntSumReducer.class);
    job.setNumReduceTasks(1);
    job.setOutputKeyClass(Text.class);
    job.setOutputValueClass(IntWritable.class);
    FileOutputFormat.setOutputPath(job, new Path(arguments[1]));
    return job;
  }
}
