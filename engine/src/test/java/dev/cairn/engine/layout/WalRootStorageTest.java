package dev.cairn.engine.layout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.FencedStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.StorageContract;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WalRootStorageTest extends StorageContract {
  private static final String REGION = "data/default/t/0123456789abcdef0123456789abcdef";

  private final Storage root = new MemoryStorage(Clock.SYSTEM);
  private final Storage walRoot = new MemoryStorage(Clock.SYSTEM);
  private final Storage both = new WalRootStorage(root, walRoot);

  @Override
  protected Storage open() {
    return new WalRootStorage(new MemoryStorage(Clock.SYSTEM), new MemoryStorage(Clock.SYSTEM));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "WALs/server/server.1",
        "oldWALs/server.1",
        "corrupt/server.1",
        "MasterData/WALs/server/server.1",
        "MasterData/oldWALs/server.1",
        REGION + "/recovered.edits/0000000000000000005",
        "MasterData/data/master/store/1595e783b53d99cd5eef43b6debb2682/recovered.edits/5.seqid",
        "MasterData/data/master/store/1595e783b53d99cd5eef43b6debb2682/recovered.wals/server.1"
      })
  void logsLieInTheirOwnFolderUnderTheSamePath(String path) throws IOException {
    write(both, path);
    assertThat(walRoot.exists(path)).isTrue();
    assertThat(root.list("")).isEmpty();
    assertThat(read(path)).isEqualTo(path);
    assertThat(names(path.substring(0, path.lastIndexOf('/')))).containsExactly(Storage.name(path));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hbase.id",
        "MasterData/data/master/store/1595e783b53d99cd5eef43b6debb2682/proc/file",
        "data/default/WALs/.tabledesc/.tableinfo.1",
        REGION + "/f/file",
        "archive/" + REGION + "/f/file",
        "zookeeper/WALs/x"
      })
  void allOtherFilesLieInTheDataFolder(String path) throws IOException {
    write(both, path);
    assertThat(root.exists(path)).isTrue();
    assertThat(walRoot.list("")).isEmpty();
  }

  /** A region whose log has never been split has no directory in the folder of logs. */
  @Test
  void recoveredEditsGetADirectoryIfTheRegionHasOneInTheDataFolder() throws IOException {
    String edits = REGION + "/recovered.edits";
    assertThatThrownBy(() -> both.createDirectoryIn(edits)).isInstanceOf(NoSuchFileException.class);
    root.createDirectories(REGION);
    both.createDirectoryIn(edits);
    assertThat(walRoot.exists(edits)).isTrue();
    assertThat(root.exists(edits)).isFalse();
  }

  @Test
  void logsLeftInTheDataFolderAreListedAndArchived() throws IOException {
    write(root, "WALs/old/old.1");
    write(both, "WALs/new/new.1");
    assertThat(names("WALs")).containsExactly("new", "old");

    both.rename("WALs/old", "WALs/old-splitting");
    both.rename("WALs/old-splitting/old.1", "oldWALs/old.1");
    assertThat(names("oldWALs")).containsExactly("old.1");
    assertThat(read("oldWALs/old.1")).isEqualTo("WALs/old/old.1");
    assertThat(both.delete("WALs/old-splitting")).isTrue();
    assertThat(names("WALs")).containsExactly("new");
    both.delete("oldWALs/old.1");
    assertThat(names("oldWALs")).isEmpty();
  }

  @Test
  void aDirectoryOfLogsInBothFoldersIsRenamedInBoth() throws IOException {
    write(root, "WALs/s/s.1");
    write(walRoot, "WALs/s/s.2");
    both.rename("WALs/s", "WALs/s-splitting");
    assertThat(names("WALs/s-splitting")).containsExactly("s.1", "s.2");
    assertThat(both.exists("WALs/s")).isFalse();
  }

  @Test
  void aRegionsDirectoryListsItsEditsInBothFolders() throws IOException {
    write(root, REGION + "/f/file");
    write(root, REGION + "/recovered.edits/0000000000000000003");
    write(walRoot, REGION + "/recovered.edits/0000000000000000005");
    assertThat(names(REGION)).containsExactly("f", "recovered.edits");
    assertThat(names(REGION + "/recovered.edits"))
        .containsExactly("0000000000000000003", "0000000000000000005");
  }

  @Test
  void editsDoNotMakeATableOrARegion() throws IOException {
    write(walRoot, REGION + "/recovered.edits/5");
    assertThat(both.exists("data/default/t")).isFalse();
    assertThat(both.exists(REGION)).isFalse();
    assertThat(names("data/default")).isEmpty();
    assertThat(names("")).isEmpty();
  }

  @Test
  void editsAreMovedAndDeletedWithTheirRegionAndTable() throws IOException {
    write(both, REGION + "/f/file");
    write(both, REGION + "/recovered.edits/5");
    both.rename("data/default/t", ".tmp/data/default/t");
    assertThat(walRoot.exists("data/default/t")).isFalse();
    both.delete(".tmp/data/default/t");
    assertThat(walRoot.exists(".tmp/data/default/t")).isFalse();

    write(both, REGION + "/f/file");
    write(both, REGION + "/recovered.edits/5");
    both.delete(REGION);
    assertThat(walRoot.exists(REGION)).isFalse();
  }

  @Test
  void aLogIsRenamedOnlyToAPathThatIsFreeInBothFolders() throws IOException {
    write(root, "oldWALs/s.1");
    write(both, "WALs/s/s.1");
    assertThatThrownBy(() -> both.rename("WALs/s/s.1", "oldWALs/s.1"))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> write(both, "oldWALs/s.1"))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> both.rename("WALs/none", "WALs/x"))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void spaceIsThatOfTheFolderWithLess() throws IOException {
    FaultyStorage full = new FaultyStorage(root, (operation, path) -> false);
    full.limitTo(1 << 20);
    assertThat(new WalRootStorage(root, full).space())
        .hasValueSatisfying(space -> assertThat(space.totalBytes()).isEqualTo(1 << 20));
    assertThat(new WalRootStorage(full, walRoot).space()).isPresent();
    assertThat(both.space()).isEmpty();
  }

  private List<String> names(String directory) throws IOException {
    return both.list(directory).stream().map(Storage.FileInfo::name).toList();
  }

  private static void write(Storage storage, String path) throws IOException {
    try (var file = storage.create(path)) {
      byte[] text = path.getBytes(UTF_8);
      file.write(text, 0, text.length);
    }
  }

  private String read(String path) throws IOException {
    return new String(both.readAll(path), UTF_8);
  }

  @Test
  void recoveredEditsMoveFromALentScratchDirectoryWithinTheLogFolder() throws IOException {
    FencedStorage master = new FencedStorage(both, ".tmp", "archive");
    master.claim(7);
    master.lend(1);
    String edits = "data/default/t/region/recovered.edits";
    both.createDirectories(edits);
    String unfinished = master.lent(1) + "/region.temp";
    try (AppendFile file = both.createIn(unfinished)) {
      file.write(new byte[] {1}, 0, 1);
    }

    both.moveIn(unfinished, edits + "/5");

    assertThat(walRoot.readAll(edits + "/5")).containsExactly(1);
    assertThat(root.exists(edits + "/5")).isFalse();
    master.recall(1);
    assertThatThrownBy(() -> both.createIn(unfinished)).isInstanceOf(NoSuchFileException.class);
  }
}
