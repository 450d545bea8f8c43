package dev.cairn.engine.wal.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.FaultyStorage.Fault;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.Entries;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecoveredEditsTest {
  private static final String REGION = "data/space/table/" + Entries.REGION;

  private final MemoryStorage memory = new MemoryStorage(Clock.SYSTEM);

  @BeforeEach
  void makeTheRegion() throws IOException {
    memory.createDirectories(REGION);
  }

  @Test
  void theNewestMarkCountsAndOlderOnesGo() throws IOException {
    RecoveredEdits edits = new RecoveredEdits(memory, REGION);
    edits.markFlushed(7);
    edits.markFlushed(12);
    edits.markFlushed(9);
    assertThat(edits.flushedSequence()).isEqualTo(12);
    assertThat(memory.list(REGION + "/recovered.edits")).hasSize(1);
  }

  @Test
  void aMarkWhoseWritingFailedIsSafeAfterTheNextAttempt() throws IOException {
    RecoveredEdits edits =
        new RecoveredEdits(new FaultyStorage(memory, Fault.nth(StorageOperation.SYNC, 1)), REGION);
    assertThatThrownBy(() -> edits.markFlushed(7)).isInstanceOf(IOException.class);
    edits.markFlushed(7);
    assertThat(new RecoveredEdits(memory.afterPowerCut(), REGION).flushedSequence()).isEqualTo(7);
  }

  @Test
  void aMarkDoesNotBringADeletedRegionBack() throws IOException {
    memory.delete(REGION);
    RecoveredEdits edits = new RecoveredEdits(memory, REGION);
    assertThatThrownBy(() -> edits.markFlushed(7)).isInstanceOf(NoSuchFileException.class);
    assertThat(memory.exists(REGION)).isFalse();
  }
}
