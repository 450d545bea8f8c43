package dev.cairn.interop.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.hadoop.HadoopStorage;
import dev.cairn.testing.CairnServer;
import dev.cairn.tools.bulk.durable.DurableFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests whether HDFS holds an acknowledged write only in the DataNodes' memory, or has synced it to
 * their disks.
 */
class HdfsSyncTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] F = Bytes.toBytes("f");
  private static final int PUTS = 10;
  private static final int BLOCKS = 3;

  /** The smallest block that HDFS allows by default. */
  private static final int BLOCK_BYTES = 1 << 20;

  @RegisterExtension static final SharedHdfs HDFS = new SharedHdfs();

  private static int servers;

  @Test
  void anAcknowledgedWriteIsOnTheDataNodesOnly() throws IOException {
    assertThat(diskSyncs(CairnServer.builder(), Durability.USE_DEFAULT)).isZero();
  }

  @Test
  void withHsyncAnAcknowledgedWriteIsOnTheDisksOfTheDataNodes() throws IOException {
    assertThat(
            diskSyncs(
                CairnServer.builder().setting("hbase.wal.hsync", "true"), Durability.USE_DEFAULT))
        .isGreaterThanOrEqualTo(PUTS);
  }

  @Test
  void withFsyncWalAnAcknowledgedWriteIsOnTheDisksOfTheDataNodes() throws IOException {
    assertThat(diskSyncs(CairnServer.builder(), Durability.FSYNC_WAL)).isGreaterThanOrEqualTo(PUTS);
  }

  @Test
  void eachBlockOfAStoreFileIsOnTheDisksOfTheDataNodes() throws IOException {
    URI root = URI.create(HDFS.home() + "/blocks");
    try (HadoopStorage storage = HadoopStorage.open(root, smallBlocks(), Clock.SYSTEM)) {
      storage.createDirectories("d");
      for (String path : List.of("d/1", "e/2")) {
        long before = HDFS.hdfs().diskSyncs();
        try (AppendFile file =
            path.startsWith("d") ? storage.createIn(path) : storage.create(path)) {
          byte[] bytes = new byte[BLOCKS * BLOCK_BYTES - 1];
          file.write(bytes, 0, bytes.length);
          file.sync();
        }
        assertThat(HDFS.hdfs().diskSyncs() - before).isGreaterThanOrEqualTo(BLOCKS);
      }
    }
  }

  @Test
  void eachBlockOfAnExportedFileIsOnTheDisksOfTheDataNodes() throws IOException {
    Path file = new Path(HDFS.home() + "/exported/part");
    try (FileSystem files = FileSystem.newInstance(file.toUri(), smallBlocks())) {
      long before = HDFS.hdfs().diskSyncs();
      try (OutputStream out = new DurableFiles(files).create(file)) {
        out.write(new byte[BLOCKS * BLOCK_BYTES - 1]);
      }
      assertThat(HDFS.hdfs().diskSyncs() - before).isGreaterThanOrEqualTo(BLOCKS);
    }
  }

  private static Configuration smallBlocks() {
    Configuration settings = new Configuration(HDFS.hdfs().settings());
    settings.setInt("dfs.blocksize", BLOCK_BYTES);
    return settings;
  }

  /**
   * Sends {@link #PUTS} puts, one after the other; returns how many disk syncs they cause on the
   * first DataNode.
   */
  private static long diskSyncs(CairnServer.Builder builder, Durability durability)
      throws IOException {
    URI root = URI.create(HDFS.home() + "/" + ++servers);
    try (HadoopStorage storage = HadoopStorage.open(root, HDFS.hdfs().settings(), Clock.SYSTEM);
        CairnServer server = builder.storage(storage).start();
        Connection connection = server.connect();
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build());
      long before = HDFS.hdfs().diskSyncs();
      for (int i = 0; i < PUTS; i++) {
        table.put(new Put(Bytes.toBytes(i)).setDurability(durability).addColumn(F, F, F));
      }
      return HDFS.hdfs().diskSyncs() - before;
    }
  }
}
