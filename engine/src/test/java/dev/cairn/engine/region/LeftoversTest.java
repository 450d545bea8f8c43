package dev.cairn.engine.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.FaultRule;
import dev.cairn.engine.storage.FaultRule.Manner;
import dev.cairn.engine.storage.Faults;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.store.StoreFile;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Files that do not count, and that the storage did not let go: an open region removes them. */
class LeftoversTest {
  private static final TableSchema SCHEMA =
      TableSchema.of(TableName.parse("t"), FamilySchema.of("f"));

  private final Faults faults = new Faults(new Random(1));

  @Test
  void compactedFilesThatCouldNotBeArchivedAreArchivedLater() throws IOException {
    try (RegionHarness harness = open()) {
      harness.put("a", "q", "1");
      harness.region().flush();
      harness.put("a", "q", "2");
      harness.region().flush();
      List<String> inputs = open(harness);
      faults.add(
          FaultRule.of(StorageOperation.RENAME)
              .onPath(path -> inputs.contains(Storage.name(path)))
              .how(Manner.NOT_DONE));
      harness.region().compact(true);
      assertThat(present(harness)).containsAll(inputs).hasSize(3);
      assertThat(harness.region().needsCompaction()).isTrue();

      harness.region().compact(false);
      assertThat(present(harness)).as("the storage still fails").containsAll(inputs);

      faults.heal();
      harness.region().compact(false);
      assertThat(present(harness)).isEqualTo(open(harness)).hasSize(1);
      assertThat(harness.region().needsCompaction()).isFalse();
      assertThat(harness.dump()).containsExactly("a/f:q=2");
    }
  }

  @Test
  void aFileThatCouldNotBeOpenedNorDeletedIsDeletedLater() throws IOException {
    try (RegionHarness harness = open()) {
      harness.put("a", "q", "1");
      harness.region().flush();
      harness.put("b", "q", "2");
      faults.add(FaultRule.of(StorageOperation.OPEN).how(Manner.NOT_DONE));
      faults.add(
          FaultRule.of(StorageOperation.RENAME, StorageOperation.DELETE)
              .onPath(path -> !path.contains(".tmp"))
              .how(Manner.NOT_DONE));
      assertThatThrownBy(() -> harness.region().flush()).isInstanceOf(IOException.class);
      assertThat(present(harness)).containsAll(open(harness)).hasSize(2);

      faults.heal();
      assertThat(harness.region().needsCompaction()).isTrue();
      harness.region().compact(false);
      assertThat(present(harness)).isEqualTo(open(harness)).hasSize(1);
      assertThat(harness.region().needsCompaction()).isFalse();
      assertThat(harness.dump()).containsExactly("a/f:q=1", "b/f:q=2");
    }
  }

  private RegionHarness open() throws IOException {
    RegionHarness harness = new RegionHarness(SCHEMA);
    harness.failBy(faults);
    harness.kill();
    return harness;
  }

  /** Returns the names of the files that count. */
  private static List<String> open(RegionHarness harness) {
    return harness.region().stores().get(0).view().files().stream().map(StoreFile::name).toList();
  }

  /** Returns the names of the files in the family's directory. */
  private static List<String> present(RegionHarness harness) throws IOException {
    return harness.memory().list(harness.directory() + "/f").stream()
        .map(Storage.FileInfo::name)
        .toList();
  }
}
