package dev.cairn.interop.guide;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.client.ServerUnderTest;
import dev.cairn.interop.client.TestTable;
import java.io.IOException;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * "HBase and Schema Design", section "Keeping Deleted Cells": the two transcripts, and the text.
 */
class KeepDeletedCellsTest {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  private static final byte[] E = toBytes("e");
  private static final byte[] C1 = toBytes("c1");
  private static final byte[] R1 = toBytes("r1");

  private static TestTable test(KeepDeletedCells keep, int versions) throws IOException {
    TestTable test =
        SERVER.create(
            "test",
            ColumnFamilyDescriptorBuilder.newBuilder(E)
                .setMaxVersions(versions)
                .setKeepDeletedCells(keep)
                .build());
    test.put("r1", "e:c1", 10, "value");
    test.put("r1", "e:c1", 12, "value");
    test.put("r1", "e:c1", 14, "value");
    test.table().delete(new Delete(R1).addColumns(E, C1, 11));
    return test;
  }

  /** The first transcript: "Notice how delete cells are let go". */
  @Test
  void without() throws IOException {
    try (TestTable test = test(KeepDeletedCells.FALSE, Integer.MAX_VALUE)) {
      Scan raw = new Scan().setRaw(true).readVersions(1000);
      assertThat(test.scan(raw))
          .containsExactly(
              "r1/e:c1@14=value",
              "r1/e:c1@12=value",
              "r1/e:c1@11 DeleteColumn",
              "r1/e:c1@10=value");
      test.flush();
      assertThat(test.scan(raw))
          .containsExactly("r1/e:c1@14=value", "r1/e:c1@12=value", "r1/e:c1@11 DeleteColumn");
      test.majorCompact();
      assertThat(test.scan(raw)).containsExactly("r1/e:c1@14=value", "r1/e:c1@12=value");
    }
  }

  /** The second transcript: everything stays. */
  @Test
  void with() throws IOException {
    try (TestTable test = test(KeepDeletedCells.TRUE, Integer.MAX_VALUE)) {
      Scan raw = new Scan().setRaw(true).readVersions(1000);
      String[] all = {
        "r1/e:c1@14=value", "r1/e:c1@12=value", "r1/e:c1@11 DeleteColumn", "r1/e:c1@10=value"
      };
      assertThat(test.scan(raw)).containsExactly(all);
      test.flush();
      assertThat(test.scan(raw)).containsExactly(all);
      test.majorCompact();
      assertThat(test.scan(raw)).containsExactly(all);
    }
  }

  /** "By default, delete markers extend back to the beginning of time." */
  @Test
  void byDefaultATimeRangeBeforeTheMarkerDoesNotSeeTheCell() throws IOException {
    try (TestTable test = test(KeepDeletedCells.FALSE, Integer.MAX_VALUE)) {
      assertThat(test.get(new Get(R1).setTimeRange(0, 11))).isEmpty();
    }
  }

  /** Deleted cells are retrieved if the time range ends before the delete. */
  @Test
  void pointInTimeQueriesInThePresenceOfDeletes() throws IOException {
    try (TestTable test = test(KeepDeletedCells.TRUE, Integer.MAX_VALUE)) {
      for (int state = 0; state < 3; state++) {
        assertThat(test.get(new Get(R1).setTimeRange(0, 11))).containsExactly("r1/e:c1@10=value");
        assertThat(test.get(new Get(R1).setTimeRange(0, 12))).isEmpty();
        assertThat(test.get(new Get(R1).readAllVersions()))
            .containsExactly("r1/e:c1@14=value", "r1/e:c1@12=value");
        if (state == 0) {
          test.flush();
        } else {
          test.majorCompact();
        }
      }
    }
  }

  /** "There will never be more than 'maximum number of versions' deleted cells." */
  @Test
  void deletedCellsGoWhenMoreVersionsAreWritten() throws IOException {
    try (TestTable test = test(KeepDeletedCells.TRUE, 3)) {
      test.put("r1", "e:c1", 16, "value");
      test.flush();
      test.majorCompact();
      assertThat(test.get(new Get(R1).setTimeRange(0, 11))).isEmpty();
      assertThat(test.get(new Get(R1).readAllVersions()))
          .containsExactly("r1/e:c1@16=value", "r1/e:c1@14=value", "r1/e:c1@12=value");
    }
  }

  /** "Deleted cells are still subject to TTL". */
  @Test
  void deletedCellsGoWhenTheyExpire() throws IOException {
    long hour = 3_600_000;
    long now = System.currentTimeMillis();
    try (TestTable test =
        SERVER.create(
            "keptUntilExpired",
            ColumnFamilyDescriptorBuilder.newBuilder(E)
                .setMaxVersions(10)
                .setKeepDeletedCells(KeepDeletedCells.TRUE)
                .setTimeToLive(5 * 3600)
                .build())) {
      test.put("r1", "e:c1", now - 6 * hour, "expired");
      test.put("r1", "e:c1", now - 2 * hour, "deleted");
      test.table().delete(new Delete(R1).addColumns(E, C1, now - hour));
      for (int state = 0; state < 3; state++) {
        assertThat(test.get(new Get(R1).setTimeRange(0, now - hour).readAllVersions()))
            .containsExactly("r1/e:c1@" + (now - 2 * hour) + "=deleted");
        if (state == 0) {
          test.flush();
        } else {
          test.majorCompact();
        }
      }
      assertThat(test.raw())
          .containsExactly(
              "r1/e:c1@" + (now - hour) + " DeleteColumn",
              "r1/e:c1@" + (now - 2 * hour) + "=deleted");
    }
  }

  /** With TTL as the value, markers and what they hide are kept until they expire. */
  @Test
  void keptForTheTimeToLive() throws IOException {
    long hour = 3_600_000;
    long now = System.currentTimeMillis();
    try (TestTable test =
        SERVER.create(
            "keptForTtl",
            ColumnFamilyDescriptorBuilder.newBuilder(E)
                .setMaxVersions(10)
                .setMinVersions(1)
                .setKeepDeletedCells(KeepDeletedCells.TTL)
                .setTimeToLive(5 * 3600)
                .build())) {
      test.put("r1", "e:c1", now - 2 * hour, "deleted");
      test.table().delete(new Delete(R1).addColumns(E, C1, now - hour));
      test.put("r2", "e:c1", now - 8 * hour, "deleted long ago");
      test.table().delete(new Delete(toBytes("r2")).addColumns(E, C1, now - 7 * hour));
      test.flush();
      test.majorCompact();
      assertThat(test.raw())
          .containsExactly(
              "r1/e:c1@" + (now - hour) + " DeleteColumn",
              "r1/e:c1@" + (now - 2 * hour) + "=deleted");
    }
  }
}
