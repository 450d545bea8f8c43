package dev.cairn.interop.guide;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.client.ServerUnderTest;
import dev.cairn.interop.client.TestTable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** "Data Model", section "Versions". */
class VersionsTest {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  private static final byte[] CF = toBytes("cf");
  private static final byte[] ATTR = toBytes("attr");
  private static final byte[] ROW = toBytes("row1");

  private static TestTable create(String name, int versions) throws IOException {
    return SERVER.create(
        name, ColumnFamilyDescriptorBuilder.newBuilder(CF).setMaxVersions(versions).build());
  }

  private static TestTable withVersions(String name, int kept, int written) throws IOException {
    TestTable table = create(name, kept);
    for (int i = 1; i <= written; i++) {
      table.put("row1", "cf:attr", i, "v" + i);
    }
    return table;
  }

  /** "If multiple writes to a cell have the same version, only the last written is fetchable." */
  @Test
  void theLastWriteOfAVersionIsFetchable() throws IOException {
    try (TestTable table = create("sameVersion", 3)) {
      table.put("row1", "cf:attr", 5, "first");
      table.put("row1", "cf:attr", 5, "last");
      for (int state = 0; state < 3; state++) {
        assertThat(table.get(new Get(ROW).readAllVersions()))
            .containsExactly("row1/cf:attr@5=last");
        advance(table, state);
      }
    }
  }

  /** "It is OK to write cells in a non-increasing version order." */
  @Test
  void versionsMayBeWrittenInAnyOrder() throws IOException {
    try (TestTable table = create("anyOrder", 3)) {
      for (long timestamp : new long[] {7, 3, 9, 5}) {
        table.put("row1", "cf:attr", timestamp, "v" + timestamp);
      }
      for (int state = 0; state < 3; state++) {
        assertThat(table.get(new Get(ROW).readAllVersions()))
            .containsExactly("row1/cf:attr@9=v9", "row1/cf:attr@7=v7", "row1/cf:attr@5=v5");
        advance(table, state);
      }
    }
  }

  private static void advance(TestTable table, int state) throws IOException {
    if (state == 0) {
      table.flush();
    } else {
      table.majorCompact();
    }
  }

  /** "Specifying the Number of Versions to Store": one by default, five after an alter. */
  @Test
  void specifyingTheNumberOfVersions() throws IOException {
    assertThat(ColumnFamilyDescriptorBuilder.of(CF).getMaxVersions()).isEqualTo(1);
    try (TestTable table = withVersions("numberOfVersions", 1, 2)) {
      assertThat(table.get(new Get(ROW).readAllVersions())).containsExactly("row1/cf:attr@2=v2");
      table
          .admin()
          .modifyColumnFamily(
              table.name(), ColumnFamilyDescriptorBuilder.newBuilder(CF).setMaxVersions(5).build());
      for (int i = 3; i <= 9; i++) {
        table.put("row1", "cf:attr", i, "v" + i);
      }
      assertThat(table.get(new Get(ROW).readAllVersions()))
          .containsExactly(
              "row1/cf:attr@9=v9",
              "row1/cf:attr@8=v8",
              "row1/cf:attr@7=v7",
              "row1/cf:attr@6=v6",
              "row1/cf:attr@5=v5");
    }
  }

  /** "Get/Scan": the largest version, which may not be the one written last. */
  @Test
  void getReturnsTheLargestVersion() throws IOException {
    try (TestTable table = create("largestVersion", 3)) {
      table.put("row1", "cf:attr", 9, "early");
      table.put("row1", "cf:attr", 3, "late");
      assertThat(table.value("row1", "cf:attr")).isEqualTo("early");
    }
  }

  /** "Get/Scan": the state of a record at a point in time, by a range from 0 and one version. */
  @Test
  void theStateAtAPointInTime() throws IOException {
    try (TestTable table = withVersions("pointInTime", 9, 9)) {
      assertThat(table.get(new Get(ROW).setTimeRange(0, 5).readVersions(1)))
          .as("the latest version before 5")
          .containsExactly("row1/cf:attr@4=v4");
      assertThat(table.scan(new Scan().setTimeRange(0, 5).readVersions(1)))
          .containsExactly("row1/cf:attr@4=v4");
    }
  }

  /** "Default Get Example". */
  @Test
  void defaultGetExample() throws IOException {
    try (TestTable table = withVersions("defaultGet", 5, 5)) {
      Result r = table.table().get(new Get(ROW));
      assertThat(r.size()).isEqualTo(1);
      assertThat(r.getValue(CF, ATTR)).isEqualTo(toBytes("v5"));
    }
  }

  /** "Versioned Get Example". */
  @Test
  void versionedGetExample() throws IOException {
    try (TestTable table = withVersions("versionedGet", 5, 5)) {
      Result r = table.table().get(new Get(ROW).readVersions(3));
      assertThat(r.getValue(CF, ATTR)).isEqualTo(toBytes("v5"));
      List<Cell> cells = r.getColumnCells(CF, ATTR);
      assertThat(cells).extracting(Cell::getTimestamp).containsExactly(5L, 4L, 3L);
    }
  }

  /** "Implicit Version Example": the server's time. */
  @Test
  void implicitVersionExample() throws IOException {
    try (TestTable table = create("implicitVersion", 1)) {
      long before = System.currentTimeMillis();
      table.put("row1", "cf:attr", "data");
      long after = System.currentTimeMillis();
      assertThat(table.table().get(new Get(ROW)).rawCells()[0].getTimestamp())
          .isBetween(before, after);
    }
  }

  /** "Explicit Version Example", and overwriting at the same row, column and version. */
  @Test
  void explicitVersionExample() throws IOException {
    try (TestTable table = create("explicitVersion", 1)) {
      long explicitTimeInMs = 555;
      table.put("row1", "cf:attr", explicitTimeInMs, "data");
      assertThat(table.get(new Get(ROW))).containsExactly("row1/cf:attr@555=data");
      table.put("row1", "cf:attr", explicitTimeInMs, "overwritten");
      assertThat(table.get(new Get(ROW))).containsExactly("row1/cf:attr@555=overwritten");
    }
  }

  /** "Delete": a version of a column, all versions of a column, all columns of a family. */
  @Test
  void theThreeTypesOfDeleteMarkers() throws IOException {
    try (TestTable table = withVersions("deleteMarkers", 5, 4)) {
      table.put("row1", "cf:other", 2, "o");
      table.table().delete(new Delete(ROW).addColumn(CF, ATTR, 4));
      assertThat(table.get(new Get(ROW).readAllVersions()))
          .containsExactly(
              "row1/cf:attr@3=v3", "row1/cf:attr@2=v2", "row1/cf:attr@1=v1", "row1/cf:other@2=o");
      table.table().delete(new Delete(ROW).addColumns(CF, ATTR, 2));
      assertThat(table.get(new Get(ROW).readAllVersions()))
          .as("all cells where the version is less than or equal to this version")
          .containsExactly("row1/cf:attr@3=v3", "row1/cf:other@2=o");
      table.table().delete(new Delete(ROW).addFamily(CF, 2));
      assertThat(table.get(new Get(ROW).readAllVersions())).containsExactly("row1/cf:attr@3=v3");
      assertThat(table.raw())
          .as("nothing is modified in place")
          .containsExactly(
              "row1/cf:@2 DeleteFamily",
              "row1/cf:attr@4 Delete",
              "row1/cf:attr@4=v4",
              "row1/cf:attr@3=v3",
              "row1/cf:attr@2 DeleteColumn",
              "row1/cf:attr@2=v2",
              "row1/cf:attr@1=v1",
              "row1/cf:other@2=o");
      table.flush();
      table.majorCompact();
      assertThat(table.raw()).containsExactly("row1/cf:attr@3=v3");
    }
  }

  /** "Delete": without a version, the server's time; newer values stay. */
  @Test
  void aRowIsDeletedUpToAVersion() throws IOException {
    try (TestTable table = create("deleteRow", 5)) {
      long inAnHour = System.currentTimeMillis() + 3_600_000;
      table.put("row1", "cf:attr", 1, "old");
      table.put("row1", "cf:attr", inAnHour, "future");
      table.table().delete(new Delete(ROW));
      assertThat(table.value("row1", "cf:attr")).isEqualTo("future");
      table.table().delete(new Delete(ROW, inAnHour));
      assertThat(table.get(new Get(ROW))).isEmpty();
    }
  }

  /** "Deletes mask Puts", even puts after the delete, until the next major compaction. */
  @Test
  void deletesMaskPuts() throws IOException {
    try (TestTable table = create("deletesMaskPuts", 5)) {
      table.table().delete(new Delete(ROW, 10));
      table.put("row1", "cf:attr", 10, "masked");
      assertThat(table.get(new Get(ROW))).isEmpty();
      table.flush();
      assertThat(table.get(new Get(ROW))).isEmpty();
      table.put("row1", "cf:attr", 11, "newer");
      assertThat(table.value("row1", "cf:attr"))
          .as("an always increasing version")
          .isEqualTo("newer");
      table.majorCompact();
      table.table().delete(new Delete(ROW).addColumn(CF, ATTR, 11));
      table.put("row1", "cf:attr", 10, "works again");
      table.flush();
      table.majorCompact();
      assertThat(table.value("row1", "cf:attr")).isEqualTo("works again");
    }
  }

  /** "Optional New Version and Delete behavior": the order of writing decides. */
  @Test
  void withNewVersionBehaviorAPutAfterADeleteShows() throws IOException {
    try (TestTable table =
        SERVER.create(
            "newVersionBehavior",
            ColumnFamilyDescriptorBuilder.newBuilder(CF)
                .setMaxVersions(2)
                .setNewVersionBehavior(true)
                .build())) {
      table.table().delete(new Delete(ROW, 10));
      table.put("row1", "cf:attr", 10, "shows");
      for (long timestamp = 1; timestamp <= 3; timestamp++) {
        table.put("row2", "cf:attr", timestamp, "t" + timestamp);
      }
      table.table().delete(new Delete(toBytes("row2")).addColumn(CF, ATTR, 3));
      for (int state = 0; state < 3; state++) {
        assertThat(table.scan(new Scan().readAllVersions()))
            .as("deleted versions count, so a major compaction does not change the result")
            .containsExactly("row1/cf:attr@10=shows", "row2/cf:attr@2=t2");
        advance(table, state);
      }
    }
  }

  /** "Major compactions change query results": t1 appears again, and not once it is gone. */
  @Test
  void majorCompactionsChangeQueryResults() throws IOException {
    for (boolean compactedBefore : new boolean[] {false, true}) {
      try (TestTable table = withVersions("compactions" + compactedBefore, 2, 3)) {
        assertThat(table.get(new Get(ROW).readAllVersions()))
            .containsExactly("row1/cf:attr@3=v3", "row1/cf:attr@2=v2");
        if (compactedBefore) {
          table.flush();
          table.majorCompact();
        }
        table.table().delete(new Delete(ROW).addColumn(CF, ATTR, 2));
        List<String> left = table.get(new Get(ROW).readAllVersions());
        assertThat(left.get(0)).isEqualTo("row1/cf:attr@3=v3");
        assertThat(left).hasSize(compactedBefore ? 1 : 2);
        assertThat(Bytes.toString(table.table().get(new Get(ROW)).value())).isEqualTo("v3");
      }
    }
  }
}
