package dev.cairn.engine.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.region.ClosedFiles.MissingStoreFileException;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.DamagedFileException;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that a region detects the loss of store files that it had when it was closed. */
class ClosedFilesTest {
  @AutoClose private final RegionHarness harness = RegionHarness.ofTwoFamilies();

  ClosedFilesTest() throws IOException {} // the harness throws it

  @BeforeEach
  void closeWithTwoFiles() throws IOException {
    harness.put("a", "q", "1");
    harness.region().flush();
    harness.put("b", "q", "2");
    harness.closeCleanly();
    assertThat(files()).hasSize(2);
  }

  @Test
  void aDeletedFileIsDetected() throws IOException {
    String deleted = files().get(0).path();
    byte[] content = harness.memory().readAll(deleted);
    harness.memory().delete(deleted);
    for (int attempt = 1; attempt <= 2; attempt++) {
      assertThatThrownBy(harness::open)
          .isInstanceOfSatisfying(
              MissingStoreFileException.class,
              missing -> assertThat(missing.list()).isEqualTo(list()))
          .hasMessageContainingAll(deleted, "is missing");
    }
    write(deleted, content);
    harness.memory().delete(list()); // otherwise the newer copy invalidates the list
    harness.open();
    assertThat(harness.dump()).containsExactly("a/f:q=1", "b/f:q=2");
  }

  @Test
  void aTruncatedFileIsNamedWithItsLength() throws IOException {
    Storage.FileInfo file = files().get(1);
    byte[] content = harness.memory().readAll(file.path());
    harness.clock.stop();
    harness.clock.advance(file.modifiedMillis() - harness.clock.currentTimeMillis());
    write(file.path(), Arrays.copyOf(content, 10));
    assertThatThrownBy(harness::open)
        .isInstanceOf(DamagedFileException.class)
        .hasMessageContainingAll(file.path(), "byte 10", "found 10");
  }

  @Test
  void anOpeningRemovesTheList() throws IOException {
    assertThat(harness.memory().exists(list())).isTrue();
    harness.open();
    assertThat(harness.memory().exists(list())).isFalse();
    harness.put("c", "q", "3");
    harness.powerCut();
    assertThat(harness.dump()).hasSize(3);
  }

  @Test
  void aListOlderThanSomeFileIsIgnored() throws IOException {
    Storage.FileInfo older = files().get(0);
    Storage.FileInfo newer = files().get(1);
    byte[] content = harness.memory().readAll(newer.path());
    write(newer.path(), content); // like a compaction by HBase
    harness.memory().delete(older.path());
    harness.open();
    assertThat(harness.dump()).containsExactly("b/f:q=2");
  }

  @Test
  void aListOlderThanAnOpeningByHBaseIsIgnored() throws IOException {
    harness.clock.advance(1_000);
    write(harness.directory() + "/recovered.edits/100.seqid", new byte[0]);
    harness.memory().delete(files().get(0).path()); // as HBase drops an expired file
    harness.open();
    assertThat(harness.dump()).containsExactly("b/f:q=2");
  }

  @Test
  void aDamagedListIsIgnored() throws IOException {
    byte[] content = harness.memory().readAll(list());
    for (byte[] damaged : List.of(new byte[0], new byte[] {'\n'}, flipped(content))) {
      harness.memory().writeAll(list(), damaged);
      harness.open();
      assertThat(harness.dump()).hasSize(2);
      harness.closeCleanly();
    }
    harness.open();
  }

  @Test
  void filesOfARemovedFamilyAreIgnored() throws IOException {
    harness.open();
    harness.alter(TableSchema.of(RegionHarness.TWO_FAMILIES.name(), g()));
    assertThat(harness.region().stores()).hasSize(1);
  }

  private static FamilySchema g() {
    return RegionHarness.TWO_FAMILIES.family(RegionHarness.G).orElseThrow();
  }

  private static byte[] flipped(byte[] content) {
    byte[] damaged = content.clone();
    damaged[3] ^= 1;
    return damaged;
  }

  private void write(String path, byte[] content) throws IOException {
    harness.memory().delete(path);
    try (AppendFile file = harness.memory().create(path)) {
      file.write(content, 0, content.length);
      file.sync();
    }
  }

  private List<Storage.FileInfo> files() throws IOException {
    return harness.memory().list(harness.directory() + "/f").stream()
        .filter(file -> !file.directory())
        .sorted(Comparator.comparing(Storage.FileInfo::modifiedMillis))
        .toList();
  }

  private String list() {
    return harness.directory() + "/" + ClosedFiles.NAME;
  }
}
