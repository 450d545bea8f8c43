package dev.cairn.examples;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;

/** Makes the job of an example. */
interface Program {
  /**
   * Returns the job, ready to run; creates tables that it writes.
   *
   * @param arguments as many as the example's usage names
   */
  Job job(Configuration configuration, String[] arguments) throws IOException;
}
