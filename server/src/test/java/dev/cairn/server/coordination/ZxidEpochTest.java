package dev.cairn.server.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the first zxid of a server, and the clients that it knows. */
class ZxidEpochTest {
  private static final long NOW_MILLIS = 1_800_000_000_000L;
  private static final long NOW = NOW_MILLIS / 4096 << 32;

  @Test
  void aStartBeginsAtTheTime() {
    assertThat(ZxidEpoch.begin(0, 0, NOW_MILLIS).first()).isEqualTo(NOW);
    assertThat(ZxidEpoch.begin(0x477, 0x4a9, NOW_MILLIS).first()).isEqualTo(NOW);
  }

  @Test
  void aWrongClockDoesNotSetItBack() {
    for (long wrong : new long[] {Long.MIN_VALUE, -1, 0, 1, NOW_MILLIS - 1, NOW_MILLIS, 1L << 42}) {
      for (long seen : new long[] {NOW, NOW + 7}) {
        assertThat(ZxidEpoch.begin(seen, 0, wrong).first()).isEqualTo(NOW + (1L << 32));
        assertThat(ZxidEpoch.begin(7, seen, wrong).first()).isEqualTo(NOW + (1L << 32));
      }
    }
    assertThat(ZxidEpoch.begin(Long.MAX_VALUE, 0, NOW_MILLIS).first()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aClientOfAnotherHistoryIsNotKnown() {
    ZxidEpoch epoch = ZxidEpoch.begin(100, 0, NOW_MILLIS);
    long last = epoch.first() + 7;
    assertThat(epoch.knows(0, last)).as("a new client").isTrue();
    assertThat(epoch.knows(100, last)).as("of an earlier start").isTrue();
    assertThat(epoch.knows(101, last)).as("of what the folder lacks").isFalse();
    assertThat(epoch.knows(epoch.first() - 1, last)).isFalse();
    assertThat(epoch.knows(epoch.first(), last)).isTrue();
    assertThat(epoch.knows(last, last)).isTrue();
    assertThat(epoch.knows(last + 1, last)).as("of a later time").isFalse();
  }

  @Test
  void filesAreCountedByTheirNames(@TempDir Path directory) throws Exception {
    Path path = Files.createDirectory(directory.resolve("zookeeper"));
    ZooKeeperFolder folder = new ZooKeeperFolder(path, new RecordedSync(() -> true));
    assertThat(folder.highestZxid()).isZero();
    Path files = Files.createDirectory(path.resolve("version-2"));
    Files.createFile(files.resolve("snapshot.4a9"));
    Files.createFile(files.resolve("log.10"));
    Files.createFile(files.resolve("log.nonsense"));
    Files.createFile(files.resolve("snapshot.7fffffffffffffff"));
    assertThat(folder.highestZxid()).isEqualTo(0x4a9);
    Path aside = folder.setAside();
    Files.createFile(aside.resolve("version-2").resolve("log.4b0"));
    folder.create();
    assertThat(folder.highestZxid()).isEqualTo(0x4b0);
  }
}
