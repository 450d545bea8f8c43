package dev.cairn.interop.hadoop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.DiskFullException;
import dev.cairn.engine.storage.LostBlockException;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.Storage.BytesRead;
import dev.cairn.engine.storage.StorageContract;
import dev.cairn.engine.time.Clock;
import dev.cairn.interop.tools.CairnTool;
import dev.cairn.server.hadoop.HadoopStorage;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract on HDFS. */
class HdfsStorageTest extends StorageContract {
  private static final AtomicInteger DIRECTORIES = new AtomicInteger();

  @RegisterExtension static final SharedHdfs HDFS = new SharedHdfs();

  @Override
  protected Storage open() throws IOException {
    return HadoopStorage.open(
        URI.create(HDFS.home() + "/data/" + DIRECTORIES.incrementAndGet()),
        HDFS.hdfs().settings(),
        Clock.SYSTEM);
  }

  @Test
  void theToolsReadFilesThere() throws IOException {
    String folder = HDFS.home() + "/tools/data/default/t/0123456789abcdef0123456789abcdef/f";
    HFileOptions options = HFileOptions.of(FamilySchema.of("f"), CellComparator.USER);
    try (Storage storage =
            HadoopStorage.open(URI.create(folder), HDFS.hdfs().settings(), Clock.SYSTEM);
        HFileWriter writer = new HFileWriter(storage, "file", options, Clock.SYSTEM)) {
      writer.append(
          Cell.put(bytes("row"), bytes("f"), bytes("q"), 1_700_000_000_000L, bytes("value")));
      writer.finish();
    }

    CairnTool printed = CairnTool.run("hfile", "-p", "-v", "-f", folder + "/file");
    CairnTool checked = CairnTool.run("verify", HDFS.home() + "/tools");

    assertThat(printed.out().lines())
        .containsExactly(
            "Scanning -> " + folder + "/file",
            "K: row/f:q/1700000000000/Put/vlen=5/seqid=0 V: value",
            "Scanned kv count -> 1");
    assertThat(checked.status()).isZero();
    assertThat(checked.out()).contains("Checked 1 store file,").contains("No damage");
    assertThat(CairnTool.run("hfile", "-m", "-f", folder + "/none"))
        .satisfies(run -> assertThat(run.status()).isEqualTo(1))
        .satisfies(run -> assertThat(run.err()).contains(folder + "/none does not exist"));
  }

  @Test
  void aFullHdfsIsAFullDiskUntilThereIsRoom() throws IOException {
    try (Storage storage = open()) {
      storage.createDirectories("WALs");
      HDFS.hdfs().setCapacity(1 << 20);
      assertThatThrownBy(() -> storage.writeAll("full", bytes("1")))
          .isInstanceOf(DiskFullException.class)
          .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
      assertThatThrownBy(
              () -> {
                try (AppendFile log = storage.createFenced("WALs/log")) {
                  log.write(bytes("1"), 0, 1);
                  log.sync();
                }
              })
          .isInstanceOf(DiskFullException.class);
      HDFS.hdfs().setCapacity(1L << 40);
      storage.writeAll("room", bytes("2"));
      assertThat(storage.readAll("room")).isEqualTo(bytes("2"));
    } finally {
      HDFS.hdfs().setCapacity(1L << 40);
    }
  }

  @Test
  void aBlockThatIsRefusedAlthoughThereIsRoomIsNoFullDisk() throws IOException {
    Configuration settings = HDFS.hdfs().settings();
    settings.setInt("dfs.client.block.write.locateFollowingBlock.retries", 0);
    URI root = URI.create(HDFS.home() + "/refused");
    try (Storage storage = HadoopStorage.open(root, settings, Clock.SYSTEM);
        Hdfs.Silence away = HDFS.hdfs().withoutDataNode()) {
      assertThatThrownBy(() -> storage.writeAll("file", bytes("1")))
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(DiskFullException.class);
    }
  }

  @Test
  void theseTestsHaveNoRightsOfTheSuperuser() throws IOException {
    try (DistributedFileSystem files =
        (DistributedFileSystem)
            FileSystem.newInstance(URI.create(HDFS.home()), HDFS.hdfs().settings())) {
      assertThatThrownBy(files::getDataNodeStats).hasMessageContaining("Superuser privilege");
    }
  }

  /** The ordinary user may neither create a directory beside its own nor read another's. */
  @Test
  void aDirectoryOfAnotherUserIsRefusedWithItsName() throws IOException {
    org.apache.hadoop.fs.Path other = new org.apache.hadoop.fs.Path("/other");
    HDFS.hdfs()
        .change(
            files ->
                files.mkdirs(other, new FsPermission(FsAction.ALL, FsAction.NONE, FsAction.NONE)));
    URI root = URI.create(HDFS.home()).resolve("/other/hbase");
    try (Storage storage = HadoopStorage.open(root, HDFS.hdfs().settings(), Clock.SYSTEM)) {
      assertThatThrownBy(() -> storage.createDirectories("data"))
          .isInstanceOf(AccessControlException.class)
          .hasMessageContaining("/other");
      assertThatThrownBy(() -> storage.readAll("data"))
          .isInstanceOf(AccessControlException.class)
          .hasMessageContaining("/other");
    }
  }

  @Test
  void aQuotaThatIsUsedUpIsAFullDiskUntilItIsRaised() throws IOException {
    URI root = URI.create(HDFS.home() + "/quota");
    org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path(root);
    try (Storage storage = HadoopStorage.open(root, HDFS.hdfs().settings(), Clock.SYSTEM)) {
      storage.createDirectories("");
      HDFS.hdfs().change(files -> files.setQuota(directory, 2, 1 << 20));
      assertThatThrownBy(() -> storage.writeAll("bytes", bytes("1")))
          .isInstanceOf(DiskFullException.class);
      storage.delete("bytes");
      HDFS.hdfs().change(files -> files.setQuota(directory, 1, HdfsConstants.QUOTA_RESET));
      assertThatThrownBy(() -> storage.writeAll("names", bytes("1")))
          .isInstanceOf(DiskFullException.class);
      HDFS.hdfs()
          .change(
              files ->
                  files.setQuota(directory, HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_RESET));
      storage.writeAll("room", bytes("2"));
    }
  }

  @Test
  void bytesReadAreCountedByTheirSource() throws IOException {
    try (Storage storage = open()) {
      storage.writeAll("a", bytes("1234"));
      assertThat(storage.bytesRead()).contains(BytesRead.NONE);
      assertThat(storage.readAll("a")).isEqualTo(bytes("1234"));
      try (ReadableFile open = storage.open("a")) {
        open.readFully(0, new byte[3], 0, 3);
        assertThat(storage.bytesRead().orElseThrow().local()).isEqualTo(7);
      }
      assertThat(storage.bytesRead()).contains(new BytesRead(7, 0, 0));
    }
  }

  /** Puts this machine into a rack in which no DataNode is. */
  public static final class RemoteRack implements DNSToSwitchMapping {
    @Override
    public List<String> resolve(List<String> names) {
      return names.stream().map(name -> "/remote").toList();
    }

    @Override
    public void reloadCachedMappings() {}

    @Override
    public void reloadCachedMappings(List<String> names) {}
  }

  @Test
  void bytesFromAnotherMachineAreCountedAsRemote() throws IOException {
    Configuration settings = HDFS.hdfs().settings();
    settings.set("dfs.client.context", "remote"); // the distances are cached by its name
    settings.setBoolean("fs.client.resolve.topology.enabled", true);
    settings.setClass(
        "net.topology.node.switch.mapping.impl", RemoteRack.class, DNSToSwitchMapping.class);
    URI root = URI.create(HDFS.home() + "/remote");
    try (Storage storage = HadoopStorage.open(root, settings, Clock.SYSTEM)) {
      storage.writeAll("a", bytes("1234"));
      assertThat(storage.readAll("a")).isEqualTo(bytes("1234"));
      assertThat(storage.bytesRead()).contains(new BytesRead(0, 0, 4));
    }
  }

  @Test
  void aBlockWithoutADataNodeIsLostUntilTheDataNodeIsBack() throws IOException {
    Configuration settings = HDFS.hdfs().settings();
    settings.setInt("dfs.client.retry.window.base", 1);
    URI root = URI.create(HDFS.home() + "/lost");
    try (Storage storage = HadoopStorage.open(root, settings, Clock.SYSTEM)) {
      storage.writeAll("a", bytes("1234"));
      try (Hdfs.Silence lost = HDFS.hdfs().withoutDataNode();
          ReadableFile file = storage.open("a")) {
        file.requireBlocks(); // the NameNode does not know
        assertThatThrownBy(() -> file.read(2, new byte[1], 0, 1))
            .isInstanceOf(LostBlockException.class)
            .hasMessageContaining("The file a has lost its block at byte 2: ")
            .hasMessageContaining("blk_");
        try (ReadableFile opened = storage.open("a")) {
          assertThatThrownBy(opened::requireBlocks)
              .as("the failed read is remembered")
              .isInstanceOf(LostBlockException.class);
        }
      }
      try (ReadableFile opened = storage.open("a")) {
        opened.requireBlocks();
      }
      assertThat(storage.readAll("a")).isEqualTo(bytes("1234"));
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  /** On HDFS that holds for a renaming only: a deleted file's blocks go within seconds. */
  @Override
  @Test
  protected void anOpenFileOutlivesItsName() throws IOException {
    try (Storage storage = open()) {
      storage.writeAll("a", "1234".getBytes(UTF_8));
      try (ReadableFile moved = storage.open("a")) {
        storage.rename("a", "b");
        byte[] target = new byte[4];
        moved.readFully(0, target, 0, 4);
        assertThat(target).isEqualTo("1234".getBytes(UTF_8));
      }
    }
  }
}
