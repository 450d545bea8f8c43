package dev.cairn.engine.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.hfile.format.CorruptFileException;
import dev.cairn.engine.layout.MobDirectory;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The listener is told of a damaged block, whatever reads it. */
class DamagedBlockTest {
  private static final TableName TABLE = TableName.parse("t");

  /** Lies in the first block, after its header. */
  private static final int DAMAGED_BYTE = 40;

  @AutoClose private RegionHarness harness;
  private final List<String> told = new ArrayList<>();
  private final List<Throwable> failedCompactions = new ArrayList<>();

  @BeforeEach
  void open() throws IOException {
    harness =
        new RegionHarness(
            TableSchema.of(
                TABLE, FamilySchema.of("f", Map.of("IS_MOB", "true", "MOB_THRESHOLD", "10"))));
    harness.listenWith(
        new EngineListener() {
          @Override
          public void storeFileDamaged(String region, String path, long offset, String what) {
            told.add(region + " " + path + " " + offset);
            assertThat(what).contains("expected", "checksum", "found");
          }

          @Override
          public void compactionFailed(String region, String family, Throwable cause) {
            failedCompactions.add(cause);
          }
        });
    harness.put("a", "q", "small");
    harness.region().flush();
    harness.put("b", "q", "a value that lies in a MOB file");
    harness.region().flush();
  }

  @Test
  void aGet() throws IOException {
    String file = damage(harness.directory() + "/f");
    assertThatThrownBy(() -> harness.get("a", "q")).isInstanceOf(CorruptFileException.class);
    assertThat(told).isNotEmpty().containsOnly(line(region(), file));
    assertThat(harness.get("b", "q")).isEqualTo("a value that lies in a MOB file");
  }

  @Test
  void aScan() throws IOException {
    String file = damage(harness.directory() + "/f");
    assertThatThrownBy(() -> harness.dump()).isInstanceOf(CorruptFileException.class);
    assertThat(told).isNotEmpty().containsOnly(line(region(), file));
  }

  @Test
  void aCompaction() throws IOException {
    String file = damage(harness.directory() + "/f");
    assertThatThrownBy(() -> harness.region().compact(true))
        .isInstanceOf(CorruptFileException.class);
    assertThat(told).isNotEmpty().containsOnly(line(region(), file));
    assertThat(failedCompactions).hasSize(1);
  }

  @Test
  void aReadOfAValueInAMobFile() throws IOException {
    String file = damage(MobDirectory.of("data", TABLE, "f").path());
    assertThatThrownBy(() -> harness.get("b", "q")).isInstanceOf(CorruptFileException.class);
    assertThat(told).isNotEmpty().containsOnly(line(MobDirectory.region(TABLE), file));
    assertThat(harness.get("a", "q")).isEqualTo("small");
  }

  private String region() {
    return harness.region().info().encodedName();
  }

  private static String line(String region, String file) {
    return region + " " + file + " 0";
  }

  /** Flips a bit in the oldest file of a directory, and opens the region again. */
  private String damage(String directory) throws IOException {
    String oldest =
        harness.region().stores().get(0).view().files().stream()
            .map(file -> file.path())
            .filter(path -> path.startsWith(directory))
            .findFirst()
            .orElse(harness.memory().list(directory).get(0).path());
    harness.closeCleanly();
    Storage disk = harness.memory();
    byte[] bytes = disk.readAll(oldest);
    bytes[DAMAGED_BYTE] ^= 1;
    disk.delete(oldest);
    disk.writeAll(oldest, bytes);
    harness.open();
    return oldest;
  }
}
