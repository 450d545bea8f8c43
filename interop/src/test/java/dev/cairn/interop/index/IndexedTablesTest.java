package dev.cairn.interop.index;

import static dev.cairn.interop.index.IndexedAnswers.byIndex;
import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.waiting.Eventually;
import dev.cairn.interop.waiting.IndexBuild;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** An indexed table is loaded, cloned, restored, split and copied; its index stays right. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IndexedTablesTest {
  private static final String INDEX = "cairn.index.by_city";
  private static final byte[] F = toBytes("f");
  private static final byte[] CITY = toBytes("city");
  private static final String[] CITIES = {"Bern", "Oslo", "Rome", "Riga"};
  private static final int ROWS = 40;

  private Path folder;
  private CairnServer server;
  private Connection connection;
  private Admin admin;
  private int tables;

  @BeforeAll
  void start(@TempDir Path empty) throws IOException {
    folder = empty;
    server = CairnServer.builder().folder(folder.resolve("data")).start();
    connection = server.connect();
    admin = connection.getAdmin();
  }

  @AfterAll
  void stop() throws IOException {
    admin.close();
    connection.close();
    server.close();
  }

  private TableDescriptorBuilder descriptor() {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf("t" + ++tables))
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
        .setValue(INDEX, "f:city");
  }

  private Table create(TableDescriptorBuilder descriptor) throws IOException {
    admin.createTable(descriptor.build(), new byte[][] {row(15), row(30)});
    return connection.getTable(descriptor.build().getTableName());
  }

  private static byte[] row(int number) {
    return toBytes("r%02d".formatted(number));
  }

  private static byte[] city(int number) {
    return toBytes(CITIES[number % CITIES.length]);
  }

  /** Puts a city to each row; the rows from {@code moved} on get one that is not theirs. */
  private static void fill(Table table, int moved) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(new Put(row(i)).addColumn(F, CITY, city(i < moved ? i : i + 1)));
    }
    table.put(puts);
  }

  private static Scan romans() {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(F, CITY, CompareOperator.EQUAL, toBytes("Rome"));
    filter.setFilterIfMissing(true);
    return new Scan().setFilter(filter);
  }

  private void alter(TableName table, String columns) throws IOException {
    TableDescriptorBuilder changed = TableDescriptorBuilder.newBuilder(admin.getDescriptor(table));
    admin.modifyTable(
        (columns.isEmpty() ? changed.removeValue(INDEX) : changed.setValue(INDEX, columns))
            .build());
  }

  @Test
  void filesOfApachesWriterAreLoadedAndIndexed() throws IOException {
    try (Table table = create(descriptor())) {
      fill(table, 10);
      table.delete(new Delete(row(2)));
      Path files = Files.createDirectories(folder.resolve("files/f"));
      Configuration settings = connection.getConfiguration();
      try (HFile.Writer writer =
          HFile.getWriterFactory(settings, new CacheConfig(settings))
              .withPath(
                  FileSystem.getLocal(settings),
                  new org.apache.hadoop.fs.Path(files.resolve("1").toString()))
              .withFileContext(new HFileContextBuilder().withColumnFamily(F).build())
              .create()) {
        for (int i = 0; i < 2 * ROWS; i += 3) {
          writer.append(new KeyValue(row(i), F, CITY, Long.MAX_VALUE - 2, toBytes("Rome")));
        }
      }
      BulkLoadHFiles.create(settings)
          .bulkLoad(table.getName(), new org.apache.hadoop.fs.Path(files.getParent().toUri()));
      List<String> romans = IndexedAnswers.same(table, romans());
      assertThat(romans).hasSizeGreaterThan(2 * ROWS / 3);
      IndexBuild.await(admin, table.getName(), 3);
      assertThat(byIndex(table, romans())).isEqualTo(romans);
    }
  }

  @Test
  void aCloneAndARestoredTableHaveTheIndexesOfTheirSnapshot() throws IOException {
    try (Table table = create(descriptor())) {
      fill(table, ROWS);
      admin.snapshot("s", table.getName());
      List<String> romans = byIndex(table, romans());
      fill(table, 0);
      alter(table.getName(), "");
      assertThat(IndexedAnswers.same(table, romans())).isNotEqualTo(romans);

      TableName clone = TableName.valueOf("clone");
      admin.cloneSnapshot("s", clone);
      try (Table cloned = connection.getTable(clone)) {
        assertThat(byIndex(cloned, romans())).isEqualTo(romans);
        admin.majorCompact(clone);
        IndexBuild.await(admin, clone, 3);
        cloned.delete(new Delete(row(2)));
        assertThat(byIndex(cloned, romans())).hasSize(romans.size() - 1);
      }

      admin.disableTable(table.getName());
      admin.restoreSnapshot("s");
      admin.enableTable(table.getName());
      assertThat(byIndex(table, romans())).isEqualTo(romans);
    }
  }

  /** The files of the snapshot have no index; the table that they return to has one. */
  @Test
  void aTableThatIsRestoredFromATimeBeforeItsIndexGetsOneAgain() throws IOException {
    try (Table table = create(descriptor().removeValue(INDEX))) {
      fill(table, ROWS);
      admin.snapshot("before", table.getName());
      List<String> romans = IndexedAnswers.same(table, romans());
      alter(table.getName(), "f:city");
      IndexBuild.await(admin, table.getName(), 3);
      admin.disableTable(table.getName());
      admin.restoreSnapshot("before");
      admin.enableTable(table.getName());
      assertThat(IndexedAnswers.same(table, romans())).isEqualTo(romans);
      alter(table.getName(), "f:city");
      IndexBuild.await(admin, table.getName(), 3);
      assertThat(byIndex(table, romans())).isEqualTo(romans);
    }
  }

  @Test
  void anIndexIsCreatedWhileARegionSplits() throws Exception {
    for (int round = 0; round < 3; round++) {
      try (Table table = create(descriptor().removeValue(INDEX))) {
        fill(table, 10);
        admin.flush(table.getName());
        fill(table, 20);
        admin.flush(table.getName());
        List<String> romans = IndexedAnswers.same(table, romans());
        Future<Void> split =
            admin.splitRegionAsync(
                admin.getRegions(table.getName()).get(round).getRegionName(), row(15 * round + 7));
        TableDescriptorBuilder changed =
            TableDescriptorBuilder.newBuilder(admin.getDescriptor(table.getName()))
                .setValue(INDEX, "f:city");
        Future<Void> alter = admin.modifyTableAsync(changed.build());
        assertThat(IndexedAnswers.same(table, romans())).isEqualTo(romans);
        split.get(4, TimeUnit.MINUTES);
        alter.get(4, TimeUnit.MINUTES);
        assertThat(admin.getRegions(table.getName())).hasSize(4);
        IndexBuild.await(admin, table.getName(), 4);
        assertThat(byIndex(table, romans())).isEqualTo(romans);
      }
    }
  }

  @Test
  void replicasUseTheIndex() throws IOException {
    try (Table table = create(descriptor().setRegionReplication(2))) {
      fill(table, 10);
      admin.flush(table.getName());
      fill(table, ROWS);
      admin.flush(table.getName());
      List<String> romans = byIndex(table, romans());
      Scan ofReplicas = romans().setConsistency(Consistency.TIMELINE).setReplicaId(1);
      Eventually.holds(
          () -> IndexedAnswers.without(table, ofReplicas).equals(romans),
          "the replicas have the files");
      assertThat(byIndex(table, ofReplicas)).isEqualTo(romans);
    }
  }
}
