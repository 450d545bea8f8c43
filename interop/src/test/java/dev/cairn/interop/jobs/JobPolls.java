package dev.cairn.interop.jobs;

import org.apache.hadoop.conf.Configuration;

/** How often a process asks whether its MapReduce job has ended: by default, every five seconds. */
public final class JobPolls {
  private static final int MILLIS = 20;

  private JobPolls() {}

  /**
   * Makes processes with these settings ask often, so that they notice the end of a job at once.
   */
  public static void shorten(Configuration settings) {
    settings.setInt("mapreduce.client.completion.pollinterval", MILLIS);
    settings.setInt("mapreduce.client.progressmonitor.pollinterval", MILLIS);
  }
}
