package dev.cairn.testing.damage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.exchange.ImportReport;
import dev.cairn.server.exchange.ImportReport.Severity;
import dev.cairn.server.process.ImportCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of the folder of a killed server, whose {@code hbase:meta} was not flushed. */
class ImportCheckTest {
  @TempDir private Path directory;
  private Path folder;

  @BeforeEach
  void make() throws IOException {
    folder = directory.resolve("killed");
    SampleFolder.make(folder, true);
  }

  @Test
  void tablesThatOnlyTheLogsKnowAreListed() throws IOException {
    List<String> before = files();

    ImportReport report = inspect();

    assertThat(report.tables())
        .filteredOn(table -> table.state().equals(Optional.of(TableState.State.ENABLED)))
        .filteredOn(table -> table.regions() > 0)
        .extracting(table -> table.name().toString())
        .contains("plain", "split", "large", "space:other");
    assertThat(report.carriesEverything()).as("%s", report.findings()).isTrue();
    assertThat(report.findings()).noneMatch(finding -> finding.what().contains("does not know it"));
    assertThat(files()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFolderWithADamagedLogIsNotCalledComplete(boolean ofMeta) throws IOException {
    Path log;
    try (Stream<Path> files = Files.walk(folder.resolve("WALs"))) {
      log =
          files
              .filter(Files::isRegularFile)
              .filter(file -> file.toString().endsWith(".meta") == ofMeta)
              .findFirst()
              .orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(log);
    bytes[bytes.length / 2] ^= 4;
    Files.write(log, bytes);

    ImportReport report = inspect();

    assertThat(report.opens()).isFalse();
    assertThat(report.findings())
        .filteredOn(finding -> finding.severity() == Severity.FOLDER_REFUSED)
        .anySatisfy(
            finding ->
                assertThat(finding.what()).contains(log.getFileName().toString(), "is damaged"));
    assertThat(report.findings()).noneMatch(finding -> finding.what().contains("does not know it"));
  }

  private ImportReport inspect() throws IOException {
    try (LocalStorage storage = new LocalStorage(folder)) {
      return ImportCheck.inspect(new SiteConfig(Map.of()), storage, Clock.SYSTEM);
    }
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.map(Path::toString).sorted().toList();
    }
  }
}
