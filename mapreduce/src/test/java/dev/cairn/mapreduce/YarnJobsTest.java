package dev.cairn.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.mapreduce.ImportTsv;
import org.apache.hadoop.hbase.mapreduce.RowCounter;
import org.apache.hadoop.hbase.tool.BulkLoadHFilesTool;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Apache's jobs on a YARN cluster, each task in a process of its own. Maven fetches a whole Hadoop,
 * and every task starts a JVM.
 */
@Tag("long")
class YarnJobsTest {
  private static final int ROWS = 300;

  @TempDir Path folder;

  private static Job run(Job job) throws Exception {
    boolean done = job.waitForCompletion(false);
    List<String> diagnostics = new ArrayList<>();
    for (TaskCompletionEvent event :
        done ? new TaskCompletionEvent[0] : job.getTaskCompletionEvents(0)) {
      diagnostics.addAll(List.of(job.getTaskDiagnostics(event.getTaskAttemptId())));
    }
    assertThat(done).as(() -> String.join("\n", diagnostics)).isTrue();
    assertThat(job.getStatus().isUber()).isFalse();
    return job;
  }

  // RowCounter's replacement, the tool, does not return the job.
  @SuppressWarnings("deprecation")
  @Test
  void rowsAreCountedAndFilesAreWrittenByTasksOnYarnAndLoaded() throws Exception {
    try (JobServer server = JobServer.start(Files.createDirectories(folder.resolve("cairn")));
        YarnProcess yarn =
            YarnProcess.start(
                Files.createDirectories(folder.resolve("hadoop")),
                Path.of("src/test/yarn").toAbsolutePath())) {
      TableName source = server.create("source", "f", "r100", "r200");
      server.put(source, "f", 0, ROWS, 10, "value");
      Configuration settings = server.configuration();
      yarn.addTo(settings);

      Job count = run(RowCounter.createSubmittableJob(settings, new String[] {"source"}));
      assertThat(
              count
                  .getCounters()
                  .findCounter(RowCounter.class.getName() + "$RowCounterMapper$Counters", "ROWS")
                  .getValue())
          .isEqualTo(ROWS);
      assertThat(count.getCounters().findCounter(JobCounter.TOTAL_LAUNCHED_MAPS).getValue())
          .isEqualTo(3);

      List<String> lines = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        lines.add(JobServer.row(i) + "\t" + "loaded" + i);
      }
      Path input = Files.createDirectories(folder.resolve("input"));
      Files.write(input.resolve("lines"), lines);
      TableName target = server.create("target", "f", "r150");
      Path output = server.output();
      Configuration files = new Configuration(settings);
      files.set("importtsv.columns", "HBASE_ROW_KEY,f:q");
      files.set("importtsv.bulk.output", output.toUri().toString());
      files.set("importtsv.timestamp", "20");
      assertThat(
              ToolRunner.run(
                  files, new ImportTsv(), new String[] {"target", input.toUri().toString()}))
          .isZero();
      try (Stream<Path> written = Files.list(output.resolve("f"))) {
        assertThat(written.filter(file -> !file.getFileName().toString().startsWith(".")))
            .as("files of the reducers, one for each region")
            .hasSize(2);
      }
      assertThat(
              ToolRunner.run(
                  settings,
                  new BulkLoadHFilesTool(settings),
                  new String[] {output.toUri().toString(), "target"}))
          .isZero();
      assertThat(server.cells(target))
          .hasSize(ROWS)
          .contains("r000/f:q/20/Put/vlen=7=loaded0", "r299/f:q/20/Put/vlen=9=loaded299");
    }
  }
}
