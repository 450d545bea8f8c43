package dev.cairn.interop.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.CounterGroup;
import org.apache.hadoop.mapreduce.Job;

/** What a job did, as text that is the same for the same input. For one thread. */
final class JobReport {
  /** The counters of Hadoop's own groups that depend on the data alone. */
  private static final Set<String> HADOOP =
      Set.of(
          "MAP_INPUT_RECORDS",
          "MAP_OUTPUT_RECORDS",
          "COMBINE_INPUT_RECORDS",
          "COMBINE_OUTPUT_RECORDS",
          "REDUCE_INPUT_GROUPS",
          "REDUCE_INPUT_RECORDS",
          "REDUCE_OUTPUT_RECORDS");

  /**
   * The counters of HBase's that measure times, and bytes of a server's own memory and files, or
   * that depend on the machine's name.
   */
  private static final Pattern PHYSICAL =
      Pattern.compile(
          "MILLIS_BETWEEN_NEXTS|.*_TIME|BYTES_READ_FROM_.*|BLOCK_READ_OPS_COUNT|.*REMOTE.*");

  private final JobSite site;
  private final StringBuilder text = new StringBuilder();

  JobReport(JobSite site) {
    this.site = site;
  }

  /** Runs a job and adds its counters. */
  JobReport run(Job job) throws Exception {
    assertThat(job.waitForCompletion(false)).as(job.getJobName()).isTrue();
    return counters(job);
  }

  /** Adds the counters of a job that has ended. */
  JobReport counters(Job job) throws IOException {
    Set<String> lines = new TreeSet<>();
    for (CounterGroup group : job.getCounters()) {
      boolean hadoop = group.getName().startsWith("org.apache.hadoop.mapreduce");
      for (Counter counter : group) {
        String name = counter.getName();
        if (counter.getValue() != 0
            && (hadoop ? HADOOP.contains(name) : !PHYSICAL.matcher(name).matches())) {
          lines.add(group.getName() + "." + name + "=" + counter.getValue());
        }
      }
    }
    return lines("counters", List.copyOf(lines));
  }

  /** Adds the cells of a table. */
  JobReport table(TableName name) throws IOException {
    return lines("table " + name, site.cells(name));
  }

  /** Adds lines under a title. */
  JobReport lines(String title, List<String> lines) {
    text.append(title).append('\n');
    lines.forEach(line -> text.append("  ").append(line).append('\n'));
    return this;
  }

  String text() {
    return text.toString();
  }
}
