package dev.cairn.engine.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Store files that a split of HBase's made of a log, under {@code hbase.wal.split.to.hfile}. */
class RecoveredHFilesTest {
  private static final TableSchema SCHEMA =
      TableSchema.of(TableName.parse("t"), FamilySchema.of("f"));
  private static final String NAME = "00112233445566778899aabbccddeeff";
  private static final int LATER_WRITES = 50;

  @AutoClose private RegionHarness harness;

  @BeforeEach
  void openRegion() throws IOException {
    harness = new RegionHarness(SCHEMA);
  }

  /** Returns a store file with a row of a high sequence number. */
  private static byte[] laterFile() throws IOException {
    try (RegionHarness other = new RegionHarness(SCHEMA)) {
      for (int i = 0; i < LATER_WRITES; i++) {
        other.put("later", "q", "v" + i);
      }
      other.region().flush();
      String family = other.directory() + "/f";
      return other.memory().readAll(other.memory().list(family).get(0).path());
    }
  }

  private void leave(String name, byte[] bytes) throws IOException {
    String path = harness.directory() + "/f/recovered.hfiles/" + name;
    try (AppendFile file = harness.memory().create(path)) {
      file.write(bytes, 0, bytes.length);
      file.sync();
    }
  }

  @Test
  void areTakenInAfterWhatOtherLogsHaveForTheRegion() throws IOException {
    harness.put("earlier", "q", "in the log");
    leave(NAME, laterFile());
    harness.kill();
    for (int life = 0; life < 2; life++) {
      assertThat(harness.get("earlier", "q")).isEqualTo("in the log");
      assertThat(harness.get("later", "q")).isEqualTo("v" + (LATER_WRITES - 1));
      harness.powerCut();
    }
    assertThat(harness.memory().exists(harness.directory() + "/f/" + NAME)).isTrue();
    assertThat(harness.memory().exists(harness.directory() + "/f/recovered.hfiles")).isFalse();
    harness.put("newest", "q", "v");
    harness.powerCut();
    assertThat(harness.get("newest", "q")).isEqualTo("v");
  }

  @Test
  void oneThatIsNotWholeIsSetAside() throws IOException {
    harness.put("earlier", "q", "in the log");
    byte[] half = Arrays.copyOf(laterFile(), 300);
    leave(NAME, half);
    leave("ffeeddccbbaa99887766554433221100", new byte[0]);
    harness.kill();
    assertThat(harness.get("earlier", "q")).isEqualTo("in the log");
    assertThat(harness.get("later", "q")).isNull();
    assertThat(harness.memory().list(harness.directory() + "/recovered.edits"))
        .extracting(Storage.FileInfo::name)
        .contains("f-" + NAME + ".corrupt", "f-ffeeddccbbaa99887766554433221100.corrupt");
  }
}
