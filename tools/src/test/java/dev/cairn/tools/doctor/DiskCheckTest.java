package dev.cairn.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.tools.doctor.Finding.Level;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the findings on the disk of a folder. */
class DiskCheckTest {
  @TempDir private Path folder;

  @Test
  void tooLittleRoomIsAProblemAndNamesTheFolderAndTheKey() {
    Diagnosis diagnosis = new Diagnosis();
    new DiskCheck(folder.resolve("not/yet"), "the data", "the.key", Long.MAX_VALUE).run(diagnosis);
    assertThat(diagnosis.findings())
        .filteredOn(finding -> finding.level() == Level.PROBLEM)
        .anySatisfy(
            finding -> {
              assertThat(finding.what()).contains("GB are free for the data");
              assertThat(finding.where()).isEqualTo(folder.resolve("not/yet").toString());
              assertThat(finding.remedy()).contains("the.key");
            });
  }

  @Test
  void enoughRoomIsAFact() {
    Diagnosis diagnosis = new Diagnosis();
    new DiskCheck(folder, "the data", "the.key", 0).run(diagnosis);
    assertThat(diagnosis.findings().get(0).level()).isEqualTo(Level.OK);
  }

  @ParameterizedTest
  @CsvSource({
    "ext4, OK",
    "xfs, OK",
    "tmpfs, PROBLEM",
    "nfs4, ADVICE",
    "fuse.sshfs, ADVICE",
    "overlay, ADVICE",
  })
  void theTypeOfTheFileSystemDecidesHowSafeTheDataIs(String type, Level level) {
    Diagnosis diagnosis = new Diagnosis();
    new DiskCheck(folder, "the data", "the.key", 0).type(type, diagnosis);
    assertThat(diagnosis.findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.level()).isEqualTo(level);
              assertThat(finding.remedy().isEmpty()).isEqualTo(level == Level.OK);
            });
  }
}
