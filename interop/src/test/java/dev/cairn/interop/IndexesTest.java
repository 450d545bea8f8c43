package dev.cairn.interop;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.probe.IndexMark;
import dev.cairn.engine.probe.Marks;
import dev.cairn.interop.client.ServerUnderTest;
import dev.cairn.interop.client.TestTable;
import dev.cairn.interop.waiting.IndexBuild;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Apache's client declares indexes; the server builds them for rows that are already stored. */
class IndexesTest {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  private static final String INDEX = "cairn.index.by_city";
  private static final byte[] F = toBytes("f");

  @BeforeEach
  void onlyCairnHasThem() {
    Assumptions.assumeTrue(ServerUnderTest.isCairn(), "HBase has no indexes");
  }

  private static TableDescriptorBuilder descriptor() {
    return TableDescriptorBuilder.newBuilder(SERVER.newName("indexes"))
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("g"));
  }

  private static void alter(TableName table, String columns) throws IOException {
    TableDescriptorBuilder changed =
        TableDescriptorBuilder.newBuilder(SERVER.admin().getDescriptor(table));
    SERVER
        .admin()
        .modifyTable(
            (columns.isEmpty() ? changed.removeValue(INDEX) : changed.setValue(INDEX, columns))
                .build());
  }

  private static Scan romans() {
    return new Scan()
        .setLoadColumnFamiliesOnDemand(false)
        .setFilter(
            new ColumnValueFilter(F, toBytes("city"), CompareOperator.EQUAL, toBytes("Rome")));
  }

  @Test
  void anIndexOfATableWithFilesIsBuiltUsedAndDropped() throws Exception {
    Scan romans = romans();
    try (TestTable people =
        SERVER.create(descriptor().build(), new byte[][] {toBytes("h"), toBytes("p")})) {
      people.put("ada", "f:city", "Rome");
      people.put("kim", "f:city", "Rome");
      people.put("zoe", "f:city", "Rome");
      people.flush();
      people.put("kim", "f:city", "Oslo");
      people.put("kim", "g:city", "Rome");
      people.flush();
      List<String> before = people.rows(romans);
      assertThat(before).hasSize(2);

      alter(people.name(), "f:city, g:city");
      IndexBuild.await(people.admin(), people.name(), 4);
      Marks.Watch<IndexMark> marks = Marks.watch(IndexMark.class);
      assertThat(people.rows(romans)).isEqualTo(before);
      assertThat(marks.count(IndexMark.TAKEN)).isPositive();
      people.put("lea", "f:city", "Rome");
      assertThat(people.rows(romans)).hasSize(3);

      alter(people.name(), "");
      marks = Marks.watch(IndexMark.class);
      assertThat(people.rows(romans)).hasSize(3);
      assertThat(marks.count(IndexMark.TAKEN)).isZero();
    }
  }

  /** Until compactions replace them, the halves of a split region share the file and its index. */
  @Test
  void theHalvesOfASplitRegionUseItsIndex() throws Exception {
    try (TestTable people =
        SERVER.create(
            descriptor().setValue(INDEX, "f:city").setCompactionEnabled(false).build(),
            new byte[0][])) {
      for (char row = 'a'; row <= 'z'; row++) {
        people.put(String.valueOf(row), "f:city", row % 3 == 0 ? "Rome" : "Oslo");
      }
      people.flush();
      Admin admin = people.admin();
      admin
          .splitRegionAsync(admin.getRegions(people.name()).get(0).getRegionName(), toBytes("m"))
          .get(2, TimeUnit.MINUTES);
      for (boolean reversed : new boolean[] {false, true}) {
        Scan without = romans().setReversed(reversed).setAttribute("cairn.index", toBytes("never"));
        Marks.Watch<IndexMark> marks = Marks.watch(IndexMark.class);
        assertThat(people.rows(romans().setReversed(reversed)))
            .isEqualTo(people.rows(without))
            .hasSize(8);
        assertThat(marks.count(IndexMark.TAKEN)).isEqualTo(2);
      }
    }
  }

  @Test
  void anUnknownHintIsRefused() throws Exception {
    try (TestTable people = SERVER.create(descriptor().build(), new byte[0][])) {
      Scan scan = romans().setAttribute("cairn.index", toBytes("sometimes"));
      assertThatThrownBy(() -> people.rows(scan))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("cairn.index must be auto, never or always, not sometimes");
    }
  }

  @Test
  void theColumnsOfAnIndexMayChange() throws Exception {
    try (TestTable people =
        SERVER.create(descriptor().setValue(INDEX, "f:city").build(), new byte[0][])) {
      people.put("ada", "f:city", "Rome");
      people.flush();
      IndexBuild.await(people.admin(), people.name(), 1);
      alter(people.name(), "f:city, f:street");
      IndexBuild.await(people.admin(), people.name(), 1);
    }
  }

  @Test
  void theFamilyOfAnIndexCannotBeDroppedOrBecomeMob() throws Exception {
    try (TestTable people =
        SERVER.create(descriptor().setValue(INDEX, "f:city, g:city").build(), new byte[0][])) {
      Admin admin = people.admin();
      refused(
          () -> admin.deleteColumnFamily(people.name(), toBytes("g")), "the table has no family g");
      refused(
          () ->
              admin.modifyColumnFamily(
                  people.name(),
                  ColumnFamilyDescriptorBuilder.newBuilder(toBytes("g"))
                      .setMobEnabled(true)
                      .build()),
          "the column g:city cannot be indexed, because IS_MOB of its family is true");
      alter(people.name(), "f:city");
      admin.deleteColumnFamily(people.name(), toBytes("g"));
      assertThat(admin.getDescriptor(people.name()).getColumnFamilyCount()).isEqualTo(1);
    }
  }

  @Test
  void aMalformedIndexIsRefused() {
    TableDescriptor table = descriptor().setValue(INDEX, "city").build();
    refused(
        () -> SERVER.admin().createTable(table),
        "the column city has no family: write FAMILY:QUALIFIER, in table " + table.getTableName());
  }

  private static void refused(ThrowingCallable change, String message) {
    assertThatThrownBy(change)
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(INDEX + ": " + message);
  }
}
