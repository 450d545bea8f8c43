package dev.cairn.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class TableDescriptorsTest {
  private static final TableName TABLE = TableName.parse("t");
  private static final TableSchema BEFORE = TableSchema.of(TABLE, FamilySchema.of("f"));
  private static final TableSchema AFTER =
      TableSchema.of(TABLE, FamilySchema.of("f"), FamilySchema.of("g"));

  private final MemoryStorage files = new MemoryStorage(Clock.SYSTEM);
  private final TableDescriptors master = new TableFiles(files).descriptors();

  @Test
  void aReadWhileTheMasterReplacesTheDescriptorReturnsTheNewOne() throws IOException {
    master.replace(BEFORE);
    assertThat(readAtOpen(() -> master.replace(AFTER)).families()).hasSize(2);
  }

  @Test
  void aReadWhileTheTableIsDeletedFails() throws IOException {
    master.replace(BEFORE);
    assertThatThrownBy(
            () -> readAtOpen(() -> files.delete(TableFiles.directory(TABLE) + "/.tabledesc")))
        .isInstanceOf(IOException.class);
  }

  private interface Change {
    void make() throws IOException;
  }

  /** Reads the descriptor; the change is made once the reader knows the name of the file. */
  private TableSchema readAtOpen(Change change) throws IOException {
    AtomicBoolean made = new AtomicBoolean();
    Storage reader =
        new FaultyStorage(
            files,
            (operation, path) -> {
              if (operation == StorageOperation.OPEN && made.compareAndSet(false, true)) {
                try {
                  change.make();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
              return false;
            });
    return new TableFiles(reader).descriptors().require(TABLE);
  }
}
