package dev.cairn.server.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.storage.Finding;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.server.verify.FolderVerifier.VerifyListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.Adler32;
import org.junit.jupiter.api.Test;

/** Tests the check of the embedded ZooKeeper's files. */
class ZooKeeperFilesTest {
  private static final String FOLDER = "zookeeper/version-2/";
  private static final int PREALLOCATED = 1 << 20;

  private final Storage storage = new MemoryStorage(Clock.SYSTEM);
  private final List<String> damaged = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private long begunBytes;

  @Test
  void theNewestSnapshotIsDamaged() throws Exception {
    writeSnapshot("snapshot.1");
    writeSnapshot("snapshot.a");
    damage("snapshot.a");

    verify();

    assertThat(damaged).containsExactly(FOLDER + "snapshot.a");
    assertThat(notes).isEmpty();
  }

  @Test
  void aSnapshotBeforeAWholeOneIsWorthANote() throws Exception {
    writeSnapshot("snapshot.9");
    writeSnapshot("snapshot.a");
    damage("snapshot.9");

    verify();

    assertThat(damaged).isEmpty();
    assertThat(notes)
        .singleElement()
        .asString()
        .startsWith(FOLDER + "snapshot.9 is damaged")
        .contains("snapshot.a is newer and whole");

    damage("snapshot.a");
    notes.clear();
    verify();
    assertThat(damaged).containsExactlyInAnyOrder(FOLDER + "snapshot.9", FOLDER + "snapshot.a");
    assertThat(notes).isEmpty();
  }

  @Test
  void aLogIsNeededUntilASnapshotReachesTheNextLog() throws Exception {
    writeLog("log.1");
    writeLog("log.5");
    writeSnapshot("snapshot.3");
    damage("log.1");

    verify();
    assertThat(damaged).containsExactly(FOLDER + "log.1");

    damaged.clear();
    writeSnapshot("snapshot.4");
    verify();
    assertThat(damaged).isEmpty();
    assertThat(notes).singleElement().asString().contains("log.1", "snapshot.4");
  }

  @Test
  void preallocatedSpaceIsNoContent() throws Exception {
    int content = writeLog("log.1");

    VerifySummary summary = verify();

    assertThat(storage.list(FOLDER.substring(0, FOLDER.length() - 1)).get(0).length())
        .isGreaterThan(PREALLOCATED);
    assertThat(summary.bytes()).isEqualTo(content);
    assertThat(begunBytes).isEqualTo(content);
  }

  private VerifySummary verify() throws IOException, InterruptedException {
    VerifyListener listener =
        new VerifyListener() {
          @Override
          public void begun(long files, long bytes) {
            begunBytes = bytes;
          }

          @Override
          public void checked(String path, long bytes) {}

          @Override
          public void found(Finding finding) {
            damaged.add(finding.path());
          }

          @Override
          public void failed(String path, String reason) {
            throw new AssertionError(path + ": " + reason);
          }

          @Override
          public void noted(String path, String what) {
            notes.add(path + " " + what);
          }
        };
    return new FolderVerifier(storage, Runnable::run, listener, StoreFileTracking.Kind.DEFAULT)
        .verify("zookeeper");
  }

  private void writeSnapshot(String name) throws IOException {
    byte[] tree = new byte[100];
    ByteBuffer file = ByteBuffer.allocate(16 + tree.length + 13);
    file.putInt(0x5A4B534E).putInt(2).putLong(-1).put(tree);
    Adler32 adler = new Adler32();
    adler.update(file.array(), 0, file.position());
    file.putLong(adler.getValue()).putInt(1).put((byte) '/');
    storage.writeAll(FOLDER + name, file.array());
  }

  /** Returns the bytes before the preallocated space. */
  private int writeLog(String name) throws IOException {
    ByteBuffer file = ByteBuffer.allocate(200 + PREALLOCATED);
    file.putInt(0x5A4B4C47).putInt(2).putLong(0);
    for (byte i = 1; i < 4; i++) {
      byte[] entry = {i, i, i};
      Adler32 adler = new Adler32();
      adler.update(entry);
      file.putLong(adler.getValue()).putInt(entry.length).put(entry).put((byte) 0x42);
    }
    storage.writeAll(FOLDER + name, file.array());
    return file.position();
  }

  private void damage(String name) throws IOException {
    byte[] bytes = storage.readAll(FOLDER + name);
    bytes[29] ^= 1;
    storage.writeAll(FOLDER + name, bytes);
  }
}
