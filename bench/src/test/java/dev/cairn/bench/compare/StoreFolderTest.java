package dev.cairn.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.bench.report.Mark;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Flushes and compactions are seen in the folder of a server that runs. */
class StoreFolderTest {
  private static final TableName NAME = TableName.valueOf("t");
  private static final byte[] F = {'f'};

  @TempDir private Path folder;

  @Test
  void filesTellWhetherAFlushOrACompactionWroteThem() throws Exception {
    StoreFolder files = new StoreFolder(folder);
    try (CairnServer server = CairnServer.builder().folder(folder).start();
        Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build());
      try (StoreFileWatch watch = new StoreFileWatch(files)) {
        putAndFlush(connection, admin, "one");
        putAndFlush(connection, admin, "two");
        assertThat(watch.stop())
            .extracting(Mark::kind)
            .containsExactly(Mark.Kind.FLUSH, Mark.Kind.FLUSH);
      }
      assertThat(files.files()).hasSize(2);
      assertThat(files.files()).allMatch(file -> StoreFolder.inputs(file).orElseThrow().isEmpty());
      long flushed = files.liveBytes();
      assertThat(flushed).isEqualTo(bytes(files));
      String region = admin.getRegions(NAME).get(0).getEncodedName();
      assertThat(files.liveBytesOf(Set.of(region))).isEqualTo(flushed);
      assertThat(files.liveBytesOf(Set.of("another"))).isZero();
      assertThat(files.isCompacted(Set.of(region))).isFalse();

      try (StoreFileWatch watch = new StoreFileWatch(files)) {
        admin.majorCompact(NAME);
        await(files);
        assertThat(files.liveBytes()).isPositive().isLessThan(flushed);
        assertThat(files.isCompacted(Set.of(region))).isTrue();
        assertThat(watch.stop()).extracting(Mark::kind).containsExactly(Mark.Kind.COMPACTION);
      }
    }
  }

  @Test
  void aFolderWithoutTablesHasNoFiles() throws IOException {
    assertThat(new StoreFolder(folder).files()).isEmpty();
    assertThat(new StoreFolder(folder).liveBytes()).isZero();
  }

  private static void putAndFlush(Connection connection, Admin admin, String row)
      throws IOException {
    try (Table table = connection.getTable(NAME)) {
      byte[] bytes = row.getBytes(StandardCharsets.UTF_8);
      table.put(new Put(bytes).addColumn(F, F, bytes));
    }
    admin.flush(NAME);
  }

  private static void await(StoreFolder files) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(
            () ->
                files.files().stream()
                    .anyMatch(
                        file ->
                            StoreFolder.inputs(file).filter(all -> all.size() == 2).isPresent()));
  }

  private static long bytes(StoreFolder files) throws IOException {
    long sum = 0;
    for (Path file : files.files()) {
      sum += Files.size(file);
    }
    return sum;
  }
}
