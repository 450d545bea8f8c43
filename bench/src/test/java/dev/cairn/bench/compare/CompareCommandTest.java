package dev.cairn.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.bench.BenchCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class CompareCommandTest {
  private final StringWriter err = new StringWriter();
  private final CommandLine command =
      BenchCommand.commandLine().setErr(new PrintWriter(err)).setOut(new PrintWriter(err));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--rounds=0",
        "--turns=0",
        "--sides=CAIRN,OTHER",
        "--seconds=0",
        "--warm-up=-1",
        "--fixed-seconds=-1",
        "--fixed-share=1.5",
        "--regions=0",
        "--threads=0",
        "--records=0",
        "--values=0",
        "--workloads=G",
        "--wal=never"
      })
  void whatMakesNoSenseIsRefusedWithTheUsage(String option) {
    assertThat(command.execute("compare", option)).isEqualTo(2);
    assertThat(err.toString()).contains("Usage: cairn bench compare");
  }

  @Test
  void theHelpNamesTheWorkloads() {
    assertThat(command.execute("compare", "--help")).isZero();
    assertThat(err.toString()).contains("LOAD", "SHORTSCAN", "CANNED", "OTHER");
  }
}
