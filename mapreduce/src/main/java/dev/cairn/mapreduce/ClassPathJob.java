package dev.cairn.mapreduce;

import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.util.MapreduceDependencyClasspathTool;
import org.apache.hadoop.util.ToolRunner;

/**
 * Prints the class path that {@code hbase mapredcp} prints. Apache's own {@code main} method sets
 * the level of a logging library that Cairn does not bring.
 */
public final class ClassPathJob {
  private ClassPathJob() {}

  /** Runs the tool and ends the process with its status. */
  public static void main(String[] arguments) throws Exception {
    System.exit(
        ToolRunner.run(
            HBaseConfiguration.create(), new MapreduceDependencyClasspathTool(), arguments));
  }
}
