package dev.cairn.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ReportCommandTest {
  @TempDir Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private String results;

  @BeforeEach
  void write() throws IOException {
    Path file = folder.resolve("results.json");
    RunFile.write(SampleRun.create(), file);
    results = file.toString();
  }

  @Test
  void printsTheTablesWithTheFirstSideAgainstTheOthers() {
    assertThat(run(results)).isZero();

    assertThat(out.toString()).contains("## old / new");
  }

  @Test
  void writesTablesAndPlotsIntoAFolder() {
    Path target = folder.resolve("made/here");

    assertThat(run(results, "--of", "new", "--out", target.toString())).isZero();

    assertThat(target.resolve("report.md")).content().contains("## new / old");
    assertThat(target.resolve("latency-c-read.svg")).isNotEmptyFile();
    assertThat(target.resolve("throughput-c.svg")).isNotEmptyFile();
  }

  @Test
  void aSideThatIsNotInTheResultsIsRefused() {
    assertThat(run(results, "--of", "newer")).isEqualTo(2);

    assertThat(err.toString()).contains("none is 'newer'");
  }

  private int run(String... arguments) {
    return new CommandLine(new ReportCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
