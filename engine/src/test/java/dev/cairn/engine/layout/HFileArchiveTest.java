package dev.cairn.engine.layout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HFileArchiveTest {
  private static final StoreDirectory STORE =
      new StoreDirectory("data", TableName.parse("t"), "0123456789abcdef", "f");
  private static final String NAME = "0a";

  /**
   * The last scan of a closed region lets go of a file while the next opening sweeps it, which may
   * happen before any step that the first of them takes.
   */
  @Test
  void aFileThatTwoThreadsArchiveKeepsItsName() throws IOException {
    int step = 0;
    boolean happened = true;
    while (happened) {
      MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
      create(storage, STORE.file(NAME));
      AtomicInteger steps = new AtomicInteger(step++);
      Storage first =
          new FaultyStorage(
              storage,
              (operation, path) -> {
                if (steps.getAndDecrement() == 0) {
                  archive(storage);
                }
                return false;
              });
      new HFileArchive(first).archive(STORE, NAME);
      happened = steps.get() < 0;
      assertThat(storage.list(STORE.archive()))
          .as("the other one comes before step %d", step)
          .extracting(Storage.FileInfo::name)
          .containsExactly(NAME);
      assertThat(storage.exists(STORE.file(NAME))).isFalse();
    }
    assertThat(step).isGreaterThan(1);
  }

  private static void archive(Storage storage) {
    try {
      new HFileArchive(storage).archive(STORE, NAME);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void create(Storage storage, String path) throws IOException {
    try (AppendFile file = storage.create(path)) {
      file.write(new byte[] {1, 2, 3}, 0, 3);
      file.sync();
    }
  }
}
