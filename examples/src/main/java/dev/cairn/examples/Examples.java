package dev.cairn.examples;

import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** {@code bin/cairn example}: runs one of the programs by its name. */
public final class Examples extends Configured implements Tool {
  private static final int MISUSED = 2;

  private enum Example {
    READ("read", "TABLE", "counts references by kind, with splits of its own", new CountKinds()),
    READ_WRITE("read-write", "TABLE TARGET", "copies the files' columns", new CopyFiles()),
    MULTI_TABLE(
        "multi-table",
        "TABLE TARGET TARGET",
        "divides artifacts with and without dependencies",
        new DivideArtifacts()),
    SUMMARY_TABLE(
        "summary-table", "TABLE TARGET", "counts artifacts by group", new SummarizeToTable()),
    SUMMARY_FILES(
        "summary-files", "TABLE FOLDER", "the same, into text files", new SummarizeToFiles()),
    SUMMARY_MAPPER(
        "summary-mapper", "TABLE TARGET", "the same, without a reducer", new SummarizeInMapper()),
    SUMMARY_DATABASE(
        "summary-database",
        "TABLE JDBC-URL",
        "the same, into PostgreSQL's table artifacts(name, count)",
        new SummarizeToDatabase());

    private final String id;
    private final String parameters;
    private final String sentence;
    private final Program program;

    Example(String id, String parameters, String sentence, Program program) {
      this.id = id;
      this.parameters = parameters;
      this.sentence = sentence;
      this.program = program;
    }
  }

  /** Runs the command line and ends the process with its status. */
  public static void main(String[] arguments) throws Exception {
    System.exit(ToolRunner.run(HBaseConfiguration.create(), new Examples(), arguments));
  }

  @Override
  public int run(String[] arguments) throws Exception {
    Optional<Example> found =
        Arrays.stream(Example.values())
            .filter(example -> arguments.length > 0 && example.id.equals(arguments[0]))
            .filter(example -> example.parameters.split(" ").length == arguments.length - 1)
            .findFirst();
    if (found.isEmpty()) {
      System.err.println("Usage: bin/cairn example NAME ARGUMENTS");
      for (Example example : Example.values()) {
        System.err.printf("  %-17s %-21s %s%n", example.id, example.parameters, example.sentence);
      }
      return MISUSED;
    }
    return Webtable.run(
        found.get().program.job(getConf(), Arrays.copyOfRange(arguments, 1, arguments.length)));
  }
}
