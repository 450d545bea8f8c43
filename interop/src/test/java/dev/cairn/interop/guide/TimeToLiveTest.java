package dev.cairn.interop.guide;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.client.ServerUnderTest;
import dev.cairn.interop.client.TestTable;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * "HBase and Schema Design", sections "Time To Live (TTL)" and "Minimum Number of Versions". Nobody
 * waits: cells are written with times that are long ago.
 */
class TimeToLiveTest {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  private static final byte[] F = toBytes("f");
  private static final byte[] Q = toBytes("q");
  private static final byte[] R = toBytes("r");
  private static final int HOUR_SECONDS = 3600;
  private static final long HOUR = HOUR_SECONDS * 1000L;

  private long now;

  @BeforeEach
  void now() {
    now = System.currentTimeMillis();
  }

  private static TestTable create(String name, int ttlHours, int versions, int minVersions)
      throws IOException {
    return SERVER.create(
        name,
        ColumnFamilyDescriptorBuilder.newBuilder(F)
            .setTimeToLive(ttlHours * HOUR_SECONDS)
            .setMaxVersions(versions)
            .setMinVersions(minVersions)
            .build());
  }

  private static void advance(TestTable table, int state) throws IOException {
    if (state == 0) {
      table.flush();
    } else {
      table.majorCompact();
    }
  }

  /** "This applies to all versions of a row - even the current one." */
  @Test
  void allVersionsExpireEvenTheCurrentOne() throws IOException {
    try (TestTable table = create("ttl", 2, 5, 0)) {
      table.put("r", "f:q", now - 4 * HOUR, "old");
      table.put("r", "f:q", now - 3 * HOUR, "newest");
      table.put("young", "f:q", now - 3 * HOUR, "old");
      table.put("young", "f:q", now - HOUR, "young");
      for (int state = 0; state < 3; state++) {
        assertThat(table.scan(new Scan().readAllVersions()))
            .containsExactly("young/f:q@" + (now - HOUR) + "=young");
        advance(table, state);
      }
      assertThat(table.raw()).containsExactly("young/f:q@" + (now - HOUR) + "=young");
    }
  }

  /** A time to live that is shortened applies to what was written before. */
  @Test
  void aShorterTimeToLiveAppliesAtOnce() throws IOException {
    try (TestTable table = create("shortened", 8, 1, 0)) {
      table.put("r", "f:q", now - 4 * HOUR, "v");
      assertThat(table.value("r", "f:q")).isEqualTo("v");
      table
          .admin()
          .modifyColumnFamily(
              table.name(),
              ColumnFamilyDescriptorBuilder.newBuilder(F).setTimeToLive(HOUR_SECONDS).build());
      assertThat(table.value("r", "f:q")).isNull();
    }
  }

  /** "Keep the last T minutes worth of data, at most N versions, but at least M versions." */
  @Test
  void minimumNumberOfVersions() throws IOException {
    try (TestTable table = create("minVersions", 2, 4, 2)) {
      for (int age = 7; age >= 4; age--) {
        table.put("old", "f:q", now - age * HOUR, "v" + age);
      }
      table.put("mixed", "f:q", now - 5 * HOUR, "v5");
      table.put("mixed", "f:q", now - 3 * HOUR, "v3");
      table.put("mixed", "f:q", now - HOUR, "v1");
      for (int i = 0; i < 6; i++) {
        table.put("young", "f:q", now - HOUR + i, "v" + i);
      }
      for (int state = 0; state < 3; state++) {
        assertThat(table.scan(new Scan().readAllVersions()))
            .containsExactly(
                "mixed/f:q@" + (now - HOUR) + "=v1",
                "mixed/f:q@" + (now - 3 * HOUR) + "=v3",
                "old/f:q@" + (now - 4 * HOUR) + "=v4",
                "old/f:q@" + (now - 5 * HOUR) + "=v5",
                "young/f:q@" + (now - HOUR + 5) + "=v5",
                "young/f:q@" + (now - HOUR + 4) + "=v4",
                "young/f:q@" + (now - HOUR + 3) + "=v3",
                "young/f:q@" + (now - HOUR + 2) + "=v2");
        advance(table, state);
      }
    }
  }

  private Put put(String row, long timestamp, long ttlMillis) {
    return new Put(toBytes(row)).addColumn(F, Q, timestamp, toBytes("v")).setTTL(ttlMillis);
  }

  /** "Cell TTLs are expressed in units of milliseconds." */
  @Test
  void cellTtlsAreInMilliseconds() throws IOException {
    try (TestTable table = SERVER.create("cellTtl", "f")) {
      table.table().put(put("expired", now - 60_000, 59_000));
      table.table().put(put("lives", now - 60_000, HOUR));
      for (int state = 0; state < 3; state++) {
        assertThat(table.rows(new Scan())).containsExactly("lives");
        advance(table, state);
      }
      assertThat(table.raw()).hasSize(1);
    }
  }

  /** A cell with a negative TTL expires before its timestamp; no write of it is refused. */
  @Test
  void aNegativeTtlEndsBeforeTheTimestamp() throws IOException {
    try (TestTable table = SERVER.create("negativeTtl", "f")) {
      table.put("hidden", "f:q", now - 2 * HOUR, "before");
      for (long ttl : new long[] {-1, -HOUR, Long.MIN_VALUE + 1, Long.MIN_VALUE}) {
        table.table().put(put("hidden", now - 1, ttl));
        table.table().put(List.of(put("gone", now - 2, ttl), put("gone", now - 1, ttl)));
        Result added = table.table().increment(new Increment(R).addColumn(F, Q, 1).setTTL(ttl));
        assertThat(added.size()).as("the answer has the cell").isEqualTo(1);
        table.table().append(new Append(R).addColumn(F, Q, Q).setTTL(ttl));
        table.table().mutateRow(RowMutations.of(List.of(put("gone", now, ttl))));
      }
      table.table().put(put("future", now + 2 * HOUR, -HOUR));
      for (int state = 0; state < 3; state++) {
        assertThat(table.rows(new Scan())).containsExactly("future", "hidden");
        assertThat(table.value("hidden", "f:q")).isEqualTo("before");
        advance(table, state);
      }
      assertThat(table.raw()).as("a compaction removes expired cells").hasSize(2);
    }
  }

  /** "A cell TTL cannot extend the effective lifetime beyond a ColumnFamily level TTL setting." */
  @Test
  void cellTtlsDoNotExtendTheFamilys() throws IOException {
    try (TestTable table = create("bothTtls", 2, 1, 0)) {
      table.table().put(put("r", now - 3 * HOUR, 100 * HOUR));
      assertThat(table.rows(new Scan())).isEmpty();
    }
  }

  /** What a cell with a TTL hid shows again when it is over. */
  @Test
  void anExpiredCellShowsTheVersionBefore() throws IOException {
    try (TestTable table = create("ttlVersions", 100, 3, 0)) {
      table.put("r", "f:q", now - 10 * HOUR, "lasting");
      table.table().put(put("r", now - 5 * HOUR, HOUR));
      assertThat(table.value("r", "f:q")).isEqualTo("lasting");
    }
  }

  /** "It will be applied to all cells updated on the server by the operation." */
  @Test
  void appendsAndIncrementsMayHaveATtl() throws IOException {
    try (TestTable table = SERVER.create("ttlOfOthers", "f")) {
      table
          .table()
          .increment(
              new Increment(R)
                  .addColumn(F, toBytes("a"), 1)
                  .addColumn(F, toBytes("b"), 2)
                  .setTTL(HOUR));
      table.table().append(new Append(R).addColumn(F, toBytes("c"), toBytes("x")).setTTL(HOUR));
      assertThat(table.table().get(new Get(R)).size()).isEqualTo(3);
      table.table().increment(new Increment(R).addColumn(F, toBytes("a"), 1).setTTL(HOUR));
      assertThat(Bytes.toLong(table.table().get(new Get(R)).getValue(F, toBytes("a"))))
          .isEqualTo(2);
    }
  }
}
