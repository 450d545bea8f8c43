package dev.cairn.engine.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.wal.WalFailedException;
import dev.cairn.engine.wal.split.LogSplitter;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A region serves its recovered edits from memory, until its next flush. */
class UnflushedEditsTest {
  @AutoClose private final RegionHarness harness = RegionHarness.ofTwoFamilies();

  UnflushedEditsTest() throws IOException {} // as making a region does

  private List<String> edits() throws IOException {
    return harness.memory().list(harness.directory() + "/recovered.edits").stream()
        .map(Storage.FileInfo::name)
        .filter(name -> !name.endsWith(".seqid"))
        .toList();
  }

  private void recoverElsewhere() throws IOException {
    for (Storage.FileInfo directory : harness.memory().list("WALs")) {
      if (directory.name().startsWith("elsewhere-")) {
        new LogSplitter(harness.memory(), "data", "oldWALs").split(directory.path());
      }
    }
  }

  @Test
  void theyStayUntilAllFamiliesAreFlushed() throws IOException {
    harness.put("a", "q", "1");
    try (RegionHarness.Elsewhere next = harness.openElsewhere()) {
      assertThat(next.dump()).containsExactly("a/f:q=1");
      assertThat(next.region().hasRecoveredEdits()).isTrue();
      assertThat(next.region().memStoreBytes()).isPositive();
      assertThat(edits()).hasSize(1);
      next.region().flush();
      assertThat(next.region().hasRecoveredEdits()).isFalse();
      assertThat(edits()).isEmpty();
      assertThat(next.dump()).containsExactly("a/f:q=1");
    }
  }

  @Test
  void aClosingFlushesThem() throws IOException {
    harness.put("a", "q", "1");
    try (RegionHarness.Elsewhere next = harness.openElsewhere()) {
      next.region().close(false);
      assertThat(edits()).isEmpty();
    }
  }

  @Test
  void aServerThatDiesBeforeTheFlushLeavesThemToTheNext() throws IOException {
    harness.put("a", "q", "1");
    RegionHarness.Elsewhere dies = harness.openElsewhere();
    dies.put("b", "q", "2");
    recoverElsewhere();
    try (RegionHarness.Elsewhere next = harness.openElsewhere()) {
      assertThat(next.dump()).containsExactly("a/f:q=1", "b/f:q=2");
      assertThat(edits()).as("one file of each dead server").hasSize(2);
      next.region().flush();
      assertThat(edits()).isEmpty();
    }
    assertThatThrownBy(dies::close).isInstanceOf(WalFailedException.class);
  }

  @Test
  void anOwnerThatWakesUpDeletesNoneOfThem() throws IOException {
    harness.put("a", "q", "1");
    RegionHarness.Elsewhere sleeps = harness.openElsewhere();
    recoverElsewhere();
    try (RegionHarness.Elsewhere next = harness.openElsewhere()) {
      assertThatThrownBy(() -> sleeps.region().flush()).isInstanceOf(IOException.class);
      assertThat(edits()).hasSize(1);
      assertThat(next.dump()).containsExactly("a/f:q=1");
    }
    assertThatThrownBy(sleeps::close).isInstanceOf(WalFailedException.class);
  }

  @Test
  void aFlushThatFailsKeepsThemForTheNextFlush() throws IOException {
    harness.put("a", "q", "1");
    try (RegionHarness.Elsewhere next = harness.openElsewhere()) {
      String file = harness.directory() + "/recovered.edits/" + edits().get(0);
      harness.memory().createDirectories(harness.directory() + "/.tmp");
      Storage.FileInfo scratch = harness.memory().list(harness.directory() + "/.tmp").get(0);
      harness.memory().rename(scratch.path(), "aside");
      assertThatThrownBy(() -> next.region().flush()).isInstanceOf(IOException.class);
      assertThat(harness.memory().exists(file)).isTrue();
      harness.memory().rename("aside", scratch.path());
      next.region().flush();
      assertThat(edits()).isEmpty();
      assertThat(next.dump()).containsExactly("a/f:q=1");
    }
  }
}
