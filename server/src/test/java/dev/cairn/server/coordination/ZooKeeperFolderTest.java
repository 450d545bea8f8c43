package dev.cairn.server.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.time.Clock;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a power cut may take from the folder of a ZooKeeper. */
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

  private static List<Path> list(File folder) throws IOException {
    try (Stream<Path> files = Files.list(folder.toPath())) {
      return files.toList();
    }
  }
}
