package dev.cairn.interop.jobs;

import org.apache.hadoop.conf.Configuration;

/** How often a process asks whether its MapReduce job has ended: by default, every five seconds. */
public final class JobPolls {
  private static final int MILLIS = 20;

  private JobPolls() {}

  /** Lets the jobs with these settings be asked often, so that their end is noticed at once. */
  public static void shorten(Configuration settings) {
    settings.setInt("mapreduce.client.completion.pollinterval", MILLIS);
    settings.setInt("mapreduce.client.progressmonitor.pollinterval", MILLIS);
  }
}
