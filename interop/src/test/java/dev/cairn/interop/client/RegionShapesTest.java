package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Regions that are split, merged and emptied, and their replicas, as clients see them. */
class RegionShapesTest {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  private static final byte[] F = toBytes("f");
  private static final int ROWS = 60;

  @Test
  void aRegionIsSplitInTheMiddleOfItsFilesOrWhereAClientSays() throws Exception {
    try (TestTable table = filled()) {
      List<String> before = table.scan(new Scan());

      table
          .admin()
          .splitRegionAsync(regions(table).get(0).getRegionName())
          .get(60, TimeUnit.SECONDS);

      assertThat(regions(table)).hasSize(2);
      assertThat(table.scan(new Scan())).isEqualTo(before);
      assertThat(table.scan(new Scan().setReversed(true))).hasSameSizeAs(before);
    }
    try (TestTable table = filled("r30")) {
      List<String> before = table.scan(new Scan());
      split(table, 1, "r55");
      assertThat(regions(table)).hasSize(3);
      assertThat(Bytes.toString(regions(table).get(2).getStartKey())).isEqualTo("r55");
      assertThat(table.scan(new Scan())).isEqualTo(before);

      put(table, "r56", "after");
      put(table, "r01", "after");
      assertThat(value(table, "r56")).isEqualTo("after");
      assertThat(value(table, "r01")).isEqualTo("after");
      table.flush();
      table.majorCompact();
      assertThat(value(table, "r56")).isEqualTo("after");
      assertThat(table.scan(new Scan())).hasSize(ROWS);
    }
  }

  /** HBase keeps the compacted references, and refuses, until a chore of two minutes has run. */
  @Test
  @DisabledIf("isNotCairn")
  void aDaughterIsSplitOnceItIsCompacted() throws Exception {
    try (TestTable table = filled()) {
      List<String> before = table.scan(new Scan());
      split(table, 0, "r30");
      whole(table);
      split(table, 1, "r55");
      assertThat(regions(table)).hasSize(3);
      assertThat(Bytes.toString(regions(table).get(2).getStartKey())).isEqualTo("r55");
      assertThat(table.scan(new Scan())).isEqualTo(before);
    }
  }

  @Test
  void aTableThatForbidsSplitsRefusesTheRequestAtOnce() throws Exception {
    try (TestTable table = filled()) {
      for (String forbidding : List.of("SPLIT_ENABLED", "SPLIT_POLICY")) {
        table
            .admin()
            .modifyTable(
                TableDescriptorBuilder.newBuilder(table.table().getDescriptor())
                    .setValue(
                        "SPLIT_ENABLED", "SPLIT_ENABLED".equals(forbidding) ? "false" : "true")
                    .setValue(
                        "SPLIT_POLICY",
                        "org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy")
                    .build());
        // Neither call waits for the split, so the refusal must come at once.
        assertThatThrownBy(() -> table.admin().split(table.name(), toBytes("r30")))
            .isInstanceOf(DoNotRetryIOException.class)
            .hasMessageContaining(ServerUnderTest.isCairn() ? forbidding : "");
        byte[] region = regions(table).get(0).getRegionName();
        assertThatThrownBy(() -> table.admin().splitRegionAsync(region))
            .isInstanceOf(DoNotRetryIOException.class);
        assertThat(regions(table)).hasSize(1);
      }
    }
  }

  @Test
  void neighboursAreMergedAndOthersAreNot() throws Exception {
    try (TestTable table = filled("r20", "r40")) {
      List<String> before = table.scan(new Scan());
      List<RegionInfo> three = regions(table);
      assertThatThrownBy(() -> merge(table, three.get(0), three.get(2)))
          .hasMessageContaining("non-adjacent");
      assertThatThrownBy(() -> merge(table, three.get(0), three.get(0)))
          .isInstanceOf(DoNotRetryIOException.class);

      merge(table, three.get(1), three.get(0));

      assertThat(regions(table)).hasSize(2);
      assertThat(regions(table).get(0).getEndKey()).isEqualTo(toBytes("r40"));
      assertThat(table.scan(new Scan())).isEqualTo(before);
    }
  }

  /** HBase refuses until that chore, and then its janitor, have run. */
  @Test
  @DisabledIf("isNotCairn")
  void aMergedRegionIsMergedOnceItIsCompacted() throws Exception {
    try (TestTable table = filled("r20", "r40")) {
      List<String> before = table.scan(new Scan());
      merge(table, regions(table).get(0), regions(table).get(1));
      whole(table);
      merge(table, regions(table).get(0), regions(table).get(1));
      assertThat(regions(table)).hasSize(1);
      assertThat(table.scan(new Scan())).isEqualTo(before);
    }
  }

  @Test
  void moreThanTwoNeighboursAreMergedAtOnce() throws Exception {
    try (TestTable table = filled("r10", "r20", "r30", "r40")) {
      List<String> before = table.scan(new Scan());
      List<RegionInfo> five = regions(table);
      merge(table, five.get(1), five.get(2), five.get(3));
      assertThat(regions(table)).hasSize(3);
      assertThat(regions(table).get(1).getStartKey()).isEqualTo(toBytes("r10"));
      assertThat(regions(table).get(1).getEndKey()).isEqualTo(toBytes("r40"));
      assertThat(table.scan(new Scan())).isEqualTo(before);
    }
  }

  /** HBase leaves the region between them, which then overlaps the merged one. */
  @Test
  @DisabledIf("isNotCairn")
  void aForcedMergeOfRegionsThatDoNotAdjoinTakesThoseBetweenThem() throws Exception {
    try (TestTable table = filled("r10", "r20", "r30", "r40")) {
      List<String> before = table.scan(new Scan());
      List<RegionInfo> five = regions(table);
      byte[][] names = {five.get(3).getRegionName(), five.get(1).getRegionName()};
      finish(table.admin().mergeRegionsAsync(names, true));
      assertThat(regions(table)).hasSize(3);
      assertThat(regions(table).get(1).getStartKey()).isEqualTo(toBytes("r10"));
      assertThat(regions(table).get(1).getEndKey()).isEqualTo(toBytes("r40"));
      assertThat(table.scan(new Scan())).isEqualTo(before);
      put(table, "r25", "after");
      assertThat(value(table, "r25")).isEqualTo("after");
    }
  }

  static boolean isNotCairn() {
    return !ServerUnderTest.isCairn();
  }

  @Test
  void aRegionIsEmptiedAndTheOthersAreNot() throws Exception {
    try (TestTable table = filled("r20", "r40")) {
      table.admin().truncateRegion(regions(table).get(1).getRegionName());
      List<String> rows = table.rows(new Scan());
      assertThat(rows).hasSize(ROWS - 20).contains("r19", "r40").doesNotContain("r20", "r39");
      put(table, "r30", "again");
      assertThat(value(table, "r30")).isEqualTo("again");
    }
  }

  @Test
  void aTableMayForbidIt() throws Exception {
    try (TestTable table = filled("r20")) {
      Admin admin = table.admin();
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(table.name()))
              .setSplitEnabled(false)
              .setMergeEnabled(false)
              .build());
      assertThatThrownBy(() -> split(table, 0, "r10"))
          .hasMessageContaining("failed as region split is disabled for the table");
      assertThatThrownBy(() -> merge(table, regions(table).get(0), regions(table).get(1)))
          .hasMessageContaining("failed as region merge is disabled for the table");
      assertThat(regions(table)).hasSize(2);
      assertThat(table.scan(new Scan())).hasSize(ROWS);
    }
  }

  @Test
  void rowsAtWhichARegionCannotBeSplit() throws Exception {
    try (TestTable table = filled("r20")) {
      assertThatThrownBy(() -> split(table, 1, "r20")).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> split(table, 1, "r10")).hasMessageContaining("r10");
      assertThat(regions(table)).hasSize(2);
    }
  }

  @Test
  void replicasHavePlacesUntilTheTableHasNone() throws Exception {
    try (TestTable table = replicated();
        RegionLocator locator = table.connection().getRegionLocator(table.name())) {
      List<HRegionLocation> places = locator.getRegionLocations(toBytes("r1"), true);
      assertThat(places).hasSize(3).doesNotContainNull();
      Admin admin = table.admin();
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(table.name()))
              .setRegionReplication(1)
              .build());
      assertThat(locator.getRegionLocations(toBytes("r1"), true)).hasSize(1);
    }
  }

  /** HBase's replicas have nothing by default: what refreshes them is switched off. */
  @Test
  @DisabledIf("isNotCairn")
  void replicasAnswerWithWhatThePrimaryHasFlushed() throws Exception {
    try (TestTable table = replicated()) {
      put(table, "r1", "v");
      table.admin().flush(table.name());
      for (int id = 0; id < 3; id++) {
        Get get = new Get(toBytes("r1")).setConsistency(Consistency.TIMELINE);
        get.setReplicaId(id);
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> "v".equals(Bytes.toString(table.table().get(get).value())));
        assertThat(table.table().get(get).isStale()).isEqualTo(id > 0);
      }
    }
  }

  private static TestTable replicated() throws Exception {
    return SERVER.create(
        TableDescriptorBuilder.newBuilder(SERVER.newName("replicas"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .setRegionReplication(3)
            .build(),
        new byte[0][]);
  }

  private static TestTable filled(String... borders) throws Exception {
    byte[][] keys = new byte[borders.length][];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = toBytes(borders[i]);
    }
    TestTable table =
        SERVER.create(
            "shapes", keys, ColumnFamilyDescriptorBuilder.newBuilder(F).setBlocksize(1024).build());
    for (int i = 0; i < ROWS; i++) {
      table
          .table()
          .put(new Put(toBytes("r%02d".formatted(i))).addColumn(F, toBytes("q"), 1, new byte[200]));
    }
    return table;
  }

  /** Lets regions own all their files, as they have to before they are split or merged again. */
  private static void whole(TestTable table) throws Exception {
    table.majorCompact();
  }

  private static List<RegionInfo> regions(TestTable table) throws IOException {
    return table.admin().getRegions(table.name());
  }

  private static void split(TestTable table, int region, String row) throws Exception {
    finish(
        table.admin().splitRegionAsync(regions(table).get(region).getRegionName(), toBytes(row)));
  }

  private static void merge(TestTable table, RegionInfo... regions) throws Exception {
    byte[][] names = new byte[regions.length][];
    for (int i = 0; i < names.length; i++) {
      names[i] = regions[i].getRegionName();
    }
    finish(table.admin().mergeRegionsAsync(names, false));
  }

  private static void finish(Future<Void> change) throws Exception {
    change.get(60, TimeUnit.SECONDS);
  }

  private static void put(TestTable table, String row, String value) throws IOException {
    table.table().put(new Put(toBytes(row)).addColumn(F, toBytes("q"), toBytes(value)));
  }

  private static String value(TestTable table, String row) throws IOException {
    return Bytes.toString(table.table().get(new Get(toBytes(row))).value());
  }
}
