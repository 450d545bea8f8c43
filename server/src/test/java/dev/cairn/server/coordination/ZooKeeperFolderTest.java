package dev.cairn.server.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.storage.LocalSync;
import dev.cairn.engine.time.Clock;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.server.persistence.FileSnap;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.server.persistence.Util;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the losses of a ZooKeeper folder in a power cut, and starts that may not read all of it.
 */
@Timeout(120)
class ZooKeeperFolderTest {
  @Test
  void whatStaysIsSyncedBeforeOlderFilesAreDeleted(@TempDir Path folder) throws Exception {
    for (int start = 0; start < 5; start++) {
      startAndWrite(folder);
    }
    FileTxnSnapLog files = new FileTxnSnapLog(folder.toFile(), folder.toFile());
    List<Path> before = list(files.getSnapDir());
    List<File> kept = files.findNValidSnapshots(3);
    long oldest = Util.getZxidFromName(kept.get(2).getName(), FileSnap.SNAPSHOT_FILE_PREFIX);
    List<File> logs = Arrays.asList(files.getSnapshotLogs(oldest));
    RecordedSync sync = new RecordedSync(() -> before.stream().allMatch(Files::exists));

    ZooKeeperFolder.purge(files, sync);

    assertThat(list(files.getSnapDir())).hasSizeLessThan(before.size());
    List<Path> needed = Stream.of(kept, logs).flatMap(List::stream).map(File::toPath).toList();
    assertThat(needed).hasSizeGreaterThan(kept.size());
    assertThat(sync.synced())
        .as("while every file was there")
        .containsAll(needed)
        .endsWith(files.getSnapDir().toPath());
    files.close();
  }

  /** Leaves a snapshot and a log. */
  private static void startAndWrite(Path folder) throws Exception {
    try (EmbeddedZooKeeper server =
            EmbeddedZooKeeper.start(
                new InetSocketAddress("127.0.0.1", 0),
                Optional.of(folder),
                0,
                Clock.SYSTEM,
                failure -> {});
        CuratorFramework client =
            CuratorFrameworkFactory.newClient(server.connectString(), new RetryOneTime(100))) {
      client.start();
      assertThat(client.blockUntilConnected(60, TimeUnit.SECONDS)).isTrue();
      client.setData().forPath("/", new byte[] {1});
    }
  }

  @Test
  void theNameOfEachNewFolderIsSynced(@TempDir Path directory) throws Exception {
    Path folder = directory.resolve("data").resolve("zookeeper");
    RecordedSync sync = new RecordedSync(() -> Files.isDirectory(folder));
    new ZooKeeperFolder(folder, sync).create();
    assertThat(sync.synced()).containsExactly(folder.getParent(), directory);
  }

  @Test
  void theNameOfADamagedFolderIsSynced(@TempDir Path directory) throws Exception {
    Path folder = Files.createDirectory(directory.resolve("zookeeper"));
    RecordedSync sync = new RecordedSync(() -> Files.notExists(folder));
    Path aside = new ZooKeeperFolder(folder, sync).setAside();
    assertThat(aside).isDirectory();
    assertThat(sync.synced()).containsExactly(directory);
  }

  @Test
  void whatZooKeeperDoesNotReadStopsNoStart(@TempDir Path directory) throws Exception {
    Path folder = Files.createDirectory(directory.resolve("zookeeper"));
    DeepTree unreadable = new DeepTree(folder.resolve("lost+found"));
    try {
      startAndWrite(folder);
      assertThat(new ZooKeeperFolder(folder, LocalSync.SYSTEM).probe()).isTrue();
    } finally {
      unreadable.shorten();
    }
    assertThat(list(directory.toFile())).containsExactly(folder);
  }

  @Test
  void anUnreadableFolderThatWasSetAsideStopsNoStart(@TempDir Path directory) throws Exception {
    Path folder = directory.resolve("zookeeper");
    Path aside = Files.createDirectory(aside(directory, ""));
    DeepTree unreadable = new DeepTree(aside.resolve("version-2"));
    try {
      startAndWrite(folder);
    } finally {
      unreadable.shorten();
    }
    assertThat(list(directory.toFile())).containsExactlyInAnyOrder(folder, aside);
  }

  @Test
  void foldersThatCannotBeListedDoNotCount(@TempDir Path directory) throws Exception {
    Path folder = directory.resolve("zookeeper");
    Path files = Files.createDirectories(folder.resolve("version-2"));
    Files.createFile(files.resolve("log.10"));
    Files.createFile(Files.createDirectory(aside(directory, "")).resolve("version-2"));
    Files.createFile(aside(directory, "2"));
    Path third = Files.createDirectories(aside(directory, "3").resolve("version-2"));
    Files.createFile(third.resolve("log.12"));
    assertThat(new ZooKeeperFolder(folder, LocalSync.SYSTEM).highestZxid()).isEqualTo(0x12);
  }

  private static Path aside(Path directory, String number) {
    return directory.resolve("zookeeper.damaged" + number);
  }

  @Test
  void aFileOfZooKeeperThatCannotBeReadIsNotTakenForDamaged(@TempDir Path folder) throws Exception {
    Path files = Files.createDirectory(folder.resolve("version-2"));
    Files.createFile(files.resolve("log.1"));
    ZooKeeperFolder probed = new ZooKeeperFolder(folder, LocalSync.SYSTEM);
    assertThat(probed.probe()).isTrue();
    Path link = files.resolve("log.2");
    try {
      Files.createSymbolicLink(link, link);
    } catch (UnsupportedOperationException | IOException e) {
      Assumptions.abort("There are no symbolic links here: " + e);
    }
    assertThat(probed.probe()).isFalse();
  }

  @Test
  void aParentThatCannotBeSyncedStopsNoStart(@TempDir Path directory) throws Exception {
    Path folder = directory.resolve("zookeeper");
    LocalSync forbidden =
        new LocalSync() {
          @Override
          public void file(Path file) {}

          @Override
          public void directory(Path synced) throws IOException {
            throw new AccessDeniedException(synced.toString());
          }
        };
    new ZooKeeperFolder(folder, forbidden).create();
    new ZooKeeperFolder(folder, forbidden).create();
    assertThat(folder).isDirectory();
  }

  @Test
  void aParentThatCannotBeReadStopsNoStart(@TempDir Path directory) throws Exception {
    Path folder = directory.resolve("zookeeper");
    startAndWrite(folder);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("--x--x--x"));
    try {
      Assumptions.assumeFalse(Files.isReadable(directory), "This user may read everything");
      startAndWrite(folder);
      assertThat(new ZooKeeperFolder(folder, LocalSync.SYSTEM).highestZxid()).isPositive();
    } finally {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }
  }

  private static List<Path> list(File folder) throws IOException {
    try (Stream<Path> files = Files.list(folder.toPath())) {
      return files.toList();
    }
  }

  /** Directories that nobody can list to the end, also not root: the path becomes too long. */
  private static final class DeepTree {
    private static final int LEVELS = 10;

    private final Path lower;
    private final Path moved;

    DeepTree(Path top) throws IOException {
      Path upper = nest(top);
      lower = top.resolveSibling(top.getFileName() + "-lower");
      nest(lower);
      moved = upper.resolve("lower");
      Files.move(lower, moved);
    }

    private static Path nest(Path top) throws IOException {
      Path deepest = top;
      for (int level = 0; level < LEVELS; level++) {
        deepest = deepest.resolve("d".repeat(250));
      }
      return Files.createDirectories(deepest);
    }

    /** Makes the paths so short that they can be deleted. */
    void shorten() throws IOException {
      Files.move(moved, lower);
    }
  }
}
