package dev.cairn.engine.layout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.FencedStorage;
import dev.cairn.engine.storage.ForwardingStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A reader finds a file at every moment of its way to the archive. */
class MovingFileTest {
  private static final TableName TABLE = new TableName("default", "t");

  private final Storage storage = new MemoryStorage(Clock.SYSTEM);
  private final StoreDirectory store = new StoreDirectory("data", TABLE, "region", "f");
  private final StoreDirectory clone =
      new StoreDirectory("data", new TableName("default", "clone"), "other", "f");
  private final StoreFileName.Link link = new StoreFileName.Link(TABLE, "region", "file");
  private final MovingFile file = new MovingFile(clone.targets(link));
  private final FencedStorage master =
      new FencedStorage(new Watched(storage), MovingFile.FENCES, "archive");
  private int looks;

  @Test
  void aFileOfADroppedTable() throws IOException {
    storage.createDirectories(store.path());
    storage.writeAll(store.file("file"), new byte[] {1});
    master.claim(1);

    master.rename("data/default/t", StoreDirectory.DELETED + "/default/t");
    new HFileArchive(master).archiveTable(StoreDirectory.DELETED + "/default/t", "data", TABLE);

    assertThat(storage.exists(store.archivedFile("file"))).isTrue();
    assertThat(looks).isGreaterThan(4);
  }

  @Test
  void aFileThatACompactionReplaced() throws IOException {
    storage.createDirectories(store.path());
    storage.writeAll(store.file("file"), new byte[] {1});
    master.claim(1);

    new HFileArchive(master).archive(store, "file");

    assertThat(storage.exists(store.archivedFile("file"))).isTrue();
    assertThat(looks).isGreaterThan(2);
  }

  @Test
  void aFileThatAPausedMasterWasMoving() throws IOException {
    storage.createDirectories(".tmp/taken-1-2-1/from-7/" + store.path());
    storage.writeAll(".tmp/taken-1-2-1/from-7/" + store.file("file"), new byte[] {1});
    assertThat(file.open(storage, storage::readAll)).contains(new byte[] {1});
  }

  @Test
  void aFileThatIsNowhere() throws IOException {
    assertThat(file.open(storage, storage::readAll)).isEmpty();
  }

  private void look() throws IOException {
    looks++;
    assertThat(file.open(storage, storage::readAll)).contains(new byte[] {1});
  }

  /** Looks for the file around each change of a name. */
  private final class Watched extends ForwardingStorage {
    Watched(Storage storage) {
      super(storage);
    }

    @Override
    public void rename(String from, String to) throws IOException {
      look();
      super.rename(from, to);
      look();
    }

    @Override
    public void moveIn(String from, String to) throws IOException {
      look();
      super.moveIn(from, to);
      look();
    }

    @Override
    public boolean delete(String path) throws IOException {
      look();
      return super.delete(path);
    }

    @Override
    public boolean discard(String path) throws IOException {
      look();
      return super.discard(path);
    }

    @Override
    public void createAll(List<SmallFile> files) throws IOException {
      super.createAll(files);
      look();
    }
  }
}
