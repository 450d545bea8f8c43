package dev.cairn.server.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.storage.LocalSync;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.jute.OutputArchive;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.txn.CreateSessionTxn;
import org.apache.zookeeper.txn.TxnHeader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the syncs when ZooKeeper writes a snapshot or a log. */
class DurableLogTest {
  private static final long SESSION = 7;

  @TempDir Path folder;

  private Path files;

  @BeforeEach
  void nameTheFolderOfFiles() {
    files = folder.resolve("version-2");
  }

  @Test
  void aNewLogIsSyncedWithItsNameBeforeItsFirstTransactionIsAnswered() throws Exception {
    RecordedSync sync = new RecordedSync(() -> true);
    DurableLog log = new DurableLog(folder.toFile(), sync);
    try {
      assertThat(sync.synced()).as("the folder of the files is new").containsExactly(folder);
      for (long zxid : new long[] {0x10, 0x20}) {
        Path name = files.resolve("log." + Long.toHexString(zxid));
        sync.clear();
        assertThat(log.append(transaction(zxid))).isTrue();
        assertThat(name).exists();
        assertThat(sync.synced()).isEmpty();
        log.commit();
        assertThat(sync.synced()).containsExactly(files);
        assertThat(log.append(transaction(zxid + 1))).isTrue();
        log.commit();
        assertThat(sync.synced()).as("once per log").containsExactly(files);
        log.rollLog();
      }
    } finally {
      log.close();
    }
  }

  private static Request transaction(long zxid) {
    TxnHeader header = new TxnHeader(SESSION, 1, zxid, 1, OpCode.createSession);
    return new Request(
        SESSION, 1, OpCode.createSession, header, new CreateSessionTxn(30_000), zxid);
  }

  /**
   * Checks that a synced snapshot gets its name after the sync. A snapshot that has its name from
   * the beginning is not synced.
   */
  @Test
  void aSnapshotHasNoNameBeforeItIsSynced() throws Exception {
    RecordedSync sync = new RecordedSync(() -> Files.exists(files.resolve("snapshot.0")));
    DurableLog log = new DurableLog(folder.toFile(), sync);
    List<String> namesMeanwhile = new ArrayList<>();
    DataTree tree =
        new DataTree() {
          @Override
          public void serialize(OutputArchive archive, String tag) throws IOException {
            namesMeanwhile.addAll(names());
            super.serialize(archive, tag);
          }
        };
    try {
      log.save(tree, new ConcurrentHashMap<>(), false);
    } finally {
      log.close();
    }
    assertThat(namesMeanwhile).containsExactly("snapshot.0.tmp");
    assertThat(names()).containsExactly("snapshot.0");
    assertThat(sync.synced()).as("the name").containsExactly(files);
  }

  @Test
  void aSnapshotThatAKillHasCutShortIsDeleted() throws Exception {
    Files.createDirectory(files);
    Files.createFile(files.resolve("snapshot.1a.tmp"));
    Files.createFile(files.resolve("snapshot.1a"));
    new DurableLog(folder.toFile(), LocalSync.SYSTEM).close();
    assertThat(names()).containsExactly("snapshot.1a");
  }

  private List<String> names() throws IOException {
    try (Stream<Path> found = Files.list(files)) {
      return found.map(file -> file.getFileName().toString()).toList();
    }
  }
}
