package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.waiting.Eventually;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.NormalizeTableFilterParams;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The normalizer makes the regions of a table about equally large, when a client asks for it. */
class NormalizerTest {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  private static final byte[] F = toBytes("f");
  private static final byte[][] FOUR_BORDERS = {
    toBytes("b"), toBytes("c"), toBytes("d"), toBytes("e")
  };

  @Test
  void smallRegionsAreMergedIfTheTableAsksForIt() throws Exception {
    try (TestTable asking = create(true);
        TestTable other = create(false)) {
      for (TestTable table : new TestTable[] {asking, other}) {
        for (String row : new String[] {"a1", "b1", "d1", "e1"}) {
          table.put(row, "f:q", "v");
        }
      }
      assertThat(SERVER.admin().normalize()).isTrue();
      awaitRegions(asking, 1);
      assertThat(asking.rows(new Scan())).containsExactly("a1", "b1", "d1", "e1");
      assertThat(SERVER.admin().getRegions(other.name())).hasSize(5);
    }
  }

  @Test
  void aLargeRegionIsSplit() throws Exception {
    try (TestTable table =
        SERVER.create(builder(true).setNormalizerTargetRegionSize(1).build(), new byte[0][])) {
      SplittableRandom random = new SplittableRandom(7);
      try (BufferedMutator writer = table.connection().getBufferedMutator(table.name())) {
        for (int i = 0; i < 400; i++) {
          byte[] value = new byte[10_000];
          random.nextBytes(value);
          writer.mutate(new Put(toBytes("r%03d".formatted(i))).addColumn(F, null, value));
        }
      }
      table.flush();
      assertThat(
              SERVER
                  .admin()
                  .normalize(
                      new NormalizeTableFilterParams.Builder()
                          .tableNames(List.of(table.name()))
                          .build()))
          .isTrue();
      awaitRegions(table, 2);
      assertThat(table.rows(new Scan())).hasSize(400);
    }
  }

  @Test
  void theSwitchIsObeyed() throws IOException {
    Admin admin = SERVER.admin();
    admin.normalizerSwitch(false);
    try {
      assertThat(admin.isNormalizerEnabled()).isFalse();
      assertThat(admin.normalize()).isFalse();
    } finally {
      admin.normalizerSwitch(true);
    }
  }

  private static TestTable create(boolean normalized) throws IOException {
    return SERVER.create(builder(normalized).build(), FOUR_BORDERS);
  }

  /** Also regions that are new or empty are merged. */
  private static TableDescriptorBuilder builder(boolean normalized) {
    return TableDescriptorBuilder.newBuilder(SERVER.newName("normalized"))
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
        .setNormalizationEnabled(normalized)
        .setValue("cairn.loadsplit.period", "2000")
        .setValue("hbase.normalizer.merge.min_region_age.days", "0")
        .setValue("hbase.normalizer.merge.min_region_size.mb", "0");
  }

  private static void awaitRegions(TestTable table, int count) {
    Eventually.holds(
        () -> table.admin().getRegions(table.name()).size() == count, count + " regions");
  }
}
