package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.launcher.cluster.ClusterPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.master.RegionState;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** HDFS has lost the only copy of a store file's block. */
@Timeout(400)
@Tag("long")
class LostBlockTest {
  private static final TableName LOST = TableName.valueOf("lost");
  private static final TableName KEPT = TableName.valueOf("kept");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] ROW = Bytes.toBytes("row");

  @TempDir private Path folder;

  @Test
  void aRegionWithALostBlockIsClosedUntilTheBlockIsBackAndAllOthersServe() throws Exception {
    try (ClusterProcesses cluster =
            ClusterProcesses.onHdfs(
                folder,
                new ClusterPlan.Counts(1, 1, 1),
                Map.of(
                    "zookeeper.session.timeout",
                    "6000",
                    "dfs.client.retry.window.base",
                    "10",
                    "dfs.client.read.shortcircuit",
                    "false"));
        Connection connection = ConnectionFactory.createConnection(cluster.client())) {
      Admin admin = connection.getAdmin();
      fill(connection, LOST);
      fill(connection, KEPT);
      Path block = storeFileBlock("the value of " + LOST);
      Path elsewhere = folder.resolve("block");
      cluster.loseBlock("dn1");
      Files.move(block, elsewhere);

      // While the region is open, a read finds it out.
      try (Table lost = connection.getTableBuilder(LOST, null).setOperationTimeout(2_000).build()) {
        assertThatThrownBy(() -> lost.get(new Get(ROW))).isInstanceOf(IOException.class);
      }
      awaitClosed(cluster, admin, block);
      assertServes(connection, KEPT);

      // The next process finds it out when it opens the region.
      cluster.kill("rs1");
      cluster.launch("rs1");
      cluster.awaitServing();
      awaitClosed(cluster, admin, block);
      assertServes(connection, KEPT);

      Files.move(elsewhere, block);
      cluster.local().restart("dn1");
      assertServes(connection, LOST);
    }
  }

  /** Waits until the region of {@link #LOST}, and no other, is closed with the reason named. */
  private static void awaitClosed(ClusterProcesses cluster, Admin admin, Path block)
      throws Exception {
    cluster.await(
        "the server names the file and the block",
        () ->
            cluster
                .output("rs1")
                .lines()
                .anyMatch(
                    line ->
                        line.contains("/" + LOST + "/")
                            && line.contains(block.getFileName().toString())));
    cluster.await(
        "the region is shown as one that cannot be opened",
        () ->
            admin.getClusterMetrics().getRegionStatesInTransition().stream()
                .anyMatch(RegionState::isFailedOpen));
    assertThat(admin.getClusterMetrics().getRegionStatesInTransition())
        .extracting(RegionState::getRegion)
        .containsExactlyElementsOf(admin.getRegions(LOST));
  }

  private static void assertServes(Connection connection, TableName name) throws IOException {
    try (Table table = connection.getTable(name)) {
      assertThat(table.exists(new Get(ROW))).isTrue();
    }
  }

  private static void fill(Connection connection, TableName name) throws IOException {
    connection
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build());
    try (Table table = connection.getTable(name)) {
      table.put(new Put(ROW).addColumn(FAMILY, FAMILY, Bytes.toBytes("the value of " + name)));
    }
    connection.getAdmin().flush(name);
  }

  /** Returns the block of the only store file that holds a text. */
  private Path storeFileBlock(String text) throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("data"))) {
      List<Path> blocks =
          files
              .filter(file -> file.getFileName().toString().startsWith("blk_"))
              .filter(file -> !file.getFileName().toString().endsWith(".meta"))
              .filter(file -> holds(file, text, "TRABLK"))
              .toList();
      assertThat(blocks).hasSize(1);
      return blocks.get(0);
    }
  }

  private static boolean holds(Path file, String... texts) {
    try {
      String content = Files.readString(file, StandardCharsets.ISO_8859_1);
      return Arrays.stream(texts).allMatch(content::contains);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
