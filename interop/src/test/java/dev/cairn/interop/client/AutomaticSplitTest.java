package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.interop.waiting.Eventually;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Regions that grow are split by the server itself, as their table's policy says. */
class AutomaticSplitTest {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  private static final String POLICIES = "org.apache.hadoop.hbase.regionserver.";
  private static final byte[] F = toBytes("f");
  private static final int ROWS = 600;

  @Test
  void aTableSplitsItselfWhileItIsWritten() throws Exception {
    try (TestTable table =
        create(
            builder("IncreasingToUpperBoundRegionSplitPolicy")
                .setMemStoreFlushSize(1 << 20)
                .setMaxFileSize(1L << 30))) {
      int rows = 0;
      while (regions(table).size() < 2) {
        assertThat(rows).as("rows without a split").isLessThan(40_000);
        write(table, rows, 1_000);
        rows += 1_000;
      }
      assertThat(table.rows(new Scan())).hasSize(rows).isSorted().doesNotHaveDuplicates();
    }
  }

  @Test
  void aLargeRegionIsSplitAfterACompactionAndHalvesItsRows() throws Exception {
    try (TestTable table = create(small("ConstantSizeRegionSplitPolicy"))) {
      fill(table);
      table.majorCompact();
      awaitRegions(table, 2);
      String border = Bytes.toString(regions(table).get(1).getStartKey());
      assertThat(border).isBetween("r00200", "r00400");
      assertThat(table.rows(new Scan())).hasSize(ROWS);
    }
  }

  @Test
  void rowsWithTheSamePrefixStayTogether() throws Exception {
    try (TestTable table =
        create(
            small("KeyPrefixRegionSplitPolicy")
                .setValue("KeyPrefixRegionSplitPolicy.prefix_length", "4"))) {
      fill(table);
      table.majorCompact();
      awaitRegions(table, 2);
      assertThat(regions(table).get(1).getStartKey()).hasSize(4);
      assertThat(table.rows(new Scan())).hasSize(ROWS);
    }
  }

  @Test
  void aTableThatForbidsSplitsStaysWhole() throws Exception {
    try (TestTable table = create(small("ConstantSizeRegionSplitPolicy").setSplitEnabled(false))) {
      fill(table);
      table.majorCompact();
      assertThat(regions(table)).hasSize(1);
      table
          .admin()
          .modifyTable(
              TableDescriptorBuilder.newBuilder(table.table().getDescriptor())
                  .setSplitEnabled(true)
                  .build());
      table.majorCompact();
      awaitRegions(table, 2);
    }
  }

  @Test
  void aRestrictionHoldsForSplitsOnRequest() throws Exception {
    try (TestTable table =
        create(
            builder("SteppingSplitPolicy")
                .setValue("hbase.regionserver.region.split_restriction.type", "DelimitedKeyPrefix")
                .setValue("hbase.regionserver.region.split_restriction.delimiter", "_"))) {
      for (String row : List.of("a_1", "b_1", "b_2", "c_1")) {
        table.table().put(new Put(toBytes(row)).addColumn(F, null, F));
      }
      byte[] region = regions(table).get(0).getRegionName();
      table.admin().splitRegionAsync(region, toBytes("b_2")).get(60, TimeUnit.SECONDS);
      assertThat(Bytes.toString(regions(table).get(1).getStartKey())).isEqualTo("b");
    }
  }

  @Test
  void anUnknownPolicyIsRefused() {
    assertThatThrownBy(() -> create(builder("NoSuchPolicy")))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("NoSuchPolicy");
  }

  private static TableDescriptorBuilder builder(String policy) {
    return TableDescriptorBuilder.newBuilder(SERVER.newName("splits"))
        .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F).setBlocksize(4096).build())
        .setRegionSplitPolicyClassName(POLICIES + policy);
  }

  /** Lets regions be split that are larger than 150 KB, as the rows together are. */
  private static TableDescriptorBuilder small(String policy) {
    return builder(policy)
        .setValue("hbase.table.sanity.checks", "false")
        .setValue("hbase.increasing.policy.initial.size", "150000")
        .setMaxFileSize(150_000);
  }

  private static TestTable create(TableDescriptorBuilder builder) throws IOException {
    return SERVER.create(builder.build(), new byte[0][]);
  }

  private static void fill(TestTable table) throws Exception {
    write(table, 0, ROWS);
    table.flush();
    assertThat(regions(table)).as("before a compaction").hasSize(1);
  }

  private static void write(TestTable table, int from, int rows) throws IOException {
    SplittableRandom random = new SplittableRandom(from);
    try (BufferedMutator writer = table.connection().getBufferedMutator(table.name())) {
      for (int i = from; i < from + rows; i++) {
        byte[] value = new byte[300];
        random.nextBytes(value);
        writer.mutate(new Put(toBytes("r%05d".formatted(i))).addColumn(F, null, value));
      }
    }
  }

  private static void awaitRegions(TestTable table, int count) {
    Eventually.holds(() -> regions(table).size() == count, count + " regions");
  }

  private static List<RegionInfo> regions(TestTable table) throws IOException {
    return table.admin().getRegions(table.name());
  }
}
