package dev.cairn.torture.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class TortureCommandTest {
  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void refusesNumbersThatMeanNothingWithoutRunning() {
    assertThat(run("--minutes", "0")).isEqualTo(2);
    assertThat(run("--steps", "0")).isEqualTo(2);
    assertThat(run("--threads", "0")).isEqualTo(2);

    assertThat(err.toString().lines().filter(line -> line.startsWith("--")))
        .containsExactly(
            "--minutes must be more than 0, not 0.0",
            "--steps must be at least 1, not 0",
            "--threads must be at least 1, not 0");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void saysWhereItCannotWriteBeforeItRuns() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");

    assertThat(run("--output", file.toString())).isEqualTo(2);

    assertThat(err.toString()).startsWith("cairn: cannot write to " + file);
    assertThat(out.toString()).isEmpty();
  }

  private int run(String... arguments) {
    return new CommandLine(new TortureCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
