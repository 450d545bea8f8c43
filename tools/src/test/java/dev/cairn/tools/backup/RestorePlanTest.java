package dev.cairn.tools.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.schema.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RestorePlanTest {
  private static final TableName TABLE = TableName.parse("t");

  private final List<BackupManifest> backups = new ArrayList<>();

  /** Adds a backup that covers moments up to {@code end}. */
  private void add(String id, String previous, long whole, long end, long... loads) {
    List<BackupManifest.Load> all = new ArrayList<>();
    for (long load : loads) {
      all.add(new BackupManifest.Load(TABLE, load));
    }
    backups.add(
        new BackupManifest(
            id,
            "chain",
            Optional.of(previous).filter(name -> !name.isEmpty()),
            whole == 0 ? 0 : whole - 5,
            Optional.of(whole).filter(millis -> millis > 0),
            end,
            "",
            Map.of(TABLE, new BackupManifest.TablePart("g", "s", Optional.empty())),
            all,
            0,
            List.of(),
            List.of(
                new BackupFile("root/archive/f", 1, ""),
                new BackupFile("before/log.1", 1, ""),
                new BackupFile("after/log.1", 1, ""))));
  }

  private List<String> logs(long moment) throws BackupException {
    return RestorePlan.of(backups, TABLE, Optional.of(moment)).logs().stream()
        .map(log -> log.backup().id() + "/" + log.file().path())
        .toList();
  }

  private List<String> spans() {
    return RestorePlan.spans(backups, TABLE).stream()
        .map(span -> span.fromMillis() + "-" + span.toMillis())
        .toList();
  }

  @Test
  void aMomentTakesTheNewestFullBackupBeforeItAndTheChangesUpToIt() throws BackupException {
    add("a", "", 100, 110);
    add("b", "a", 0, 200);
    add("c", "b", 300, 310);
    add("d", "c", 0, 400);
    assertThat(logs(105)).containsExactly("a/after/log.1");
    assertThat(logs(111)).containsExactly("a/after/log.1", "b/before/log.1", "b/after/log.1");
    assertThat(logs(299)).startsWith("a/after/log.1").endsWith("c/before/log.1", "c/after/log.1");
    assertThat(logs(300)).containsExactly("c/after/log.1");
    assertThat(RestorePlan.of(backups, TABLE, Optional.empty()).last().id()).isEqualTo("d");
    assertThat(spans()).containsExactly("100-400");
    assertThatThrownBy(() -> logs(99))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("table t cannot be restored to 1970-01-01T00:00:00.099Z")
        .hasMessageContaining("1970-01-01T00:00:00.100Z to 1970-01-01T00:00:00.400Z");
    assertThatThrownBy(() -> logs(401)).isInstanceOf(BackupException.class);
  }

  @Test
  void aChainWithoutItsMiddleEndsThere() {
    add("a", "", 100, 110);
    add("c", "b", 0, 300);
    add("d", "c", 400, 410);
    assertThat(spans()).containsExactly("100-110", "400-410");
    assertThatThrownBy(() -> logs(250)).isInstanceOf(BackupException.class);
  }

  @Test
  void momentsAfterABulkLoadWaitForTheNextFullBackup() {
    add("a", "", 100, 110);
    add("b", "a", 0, 200, 150);
    assertThat(spans()).containsExactly("100-149");
    assertThatThrownBy(() -> logs(150)).isInstanceOf(BackupException.class);
    assertThatThrownBy(() -> RestorePlan.of(backups, TABLE, Optional.empty()))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("bulk load");
    add("c", "b", 300, 310, 250);
    assertThat(spans()).containsExactly("100-149", "300-310");
  }

  @Test
  void aManifestIsReadAsItWasWrittenOrRefused() throws BackupException {
    add("a", "x", 100, 110, 105);
    byte[] bytes = backups.get(0).bytesOfFile();
    assertThat(BackupManifest.parse("a/manifest", bytes)).isEqualTo(backups.get(0));
    bytes[20] ^= 1;
    assertThatThrownBy(() -> BackupManifest.parse("a/manifest", bytes))
        .isInstanceOf(BackupException.class)
        .hasMessage("a/manifest is damaged: its checksum is wrong");
  }
}
