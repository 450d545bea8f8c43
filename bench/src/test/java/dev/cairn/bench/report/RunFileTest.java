package dev.cairn.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFileTest {
  @TempDir Path folder;

  @Test
  void whatIsWrittenIsReadBack() throws IOException {
    Run run = SampleRun.create();
    Path file = folder.resolve("made/results.json");

    RunFile.write(run, file);

    assertThat(RunFile.read(file)).isEqualTo(run);
  }

  @Test
  void aFileThatHoldsNoRunIsNamed() throws IOException {
    Path file = Files.writeString(folder.resolve("results.json"), "{\"title\": \"half\"}");

    assertThatThrownBy(() -> RunFile.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("results.json holds no results");
  }
}
