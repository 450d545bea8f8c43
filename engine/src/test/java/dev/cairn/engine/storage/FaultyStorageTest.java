package dev.cairn.engine.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.FaultyStorage.Fault;
import dev.cairn.engine.storage.FaultyStorage.Operation;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class FaultyStorageTest extends StorageContract {
  @Override
  protected Storage open() {
    return new FaultyStorage(new MemoryStorage(Clock.SYSTEM), (operation, path) -> false);
  }

  @Test
  void theChosenOperationFailsAndIsNotDone() throws IOException {
    Storage storage =
        new FaultyStorage(new MemoryStorage(Clock.SYSTEM), Fault.nth(Operation.RENAME, 2));
    storage.create("a").close();
    storage.rename("a", "b");
    assertThatThrownBy(() -> storage.rename("b", "c"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("RENAME of b");
    assertThat(storage.exists("b")).isTrue();
    storage.rename("b", "c");
  }

  @Test
  void aFileThatFailedStaysFailed() throws IOException {
    Storage storage =
        new FaultyStorage(new MemoryStorage(Clock.SYSTEM), Fault.nth(Operation.SYNC, 1));
    AppendFile file = storage.create("file");
    file.write(new byte[10], 0, 10);
    assertThatThrownBy(file::sync).hasMessageContaining("SYNC of file");
    assertThatThrownBy(file::sync).hasMessageContaining("unknown state");
    file.close();
    assertThat(storage.readAll("file")).isEmpty();
  }

  @Test
  void aStoppedMachineDoesNothingMore() throws IOException {
    Storage storage = new FaultyStorage(new MemoryStorage(Clock.SYSTEM), Fault.stopAfter(2));
    storage.createDirectories("a");
    storage.createDirectories("b");
    assertThatThrownBy(() -> storage.createDirectories("c")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> storage.exists("a")).isInstanceOf(IOException.class);
  }
}
