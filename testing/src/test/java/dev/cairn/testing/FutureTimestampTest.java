package dev.cairn.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A server refuses puts that are further ahead of its clock than its settings allow. */
class FutureTimestampTest {
  private static final String KEY = "hbase.hregion.keyvalue.timestamp.slop.millisecs";
  private static final TableName NAME = TableName.valueOf("t");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] ROW = Bytes.toBytes("the row");
  private static final long ALLOWED_MILLIS = 3_600_000;

  private static CairnServer cairn;

  @BeforeAll
  static void makeTable() throws IOException {
    cairn = CairnServer.builder().setting(KEY, String.valueOf(ALLOWED_MILLIS)).start();
    try (Connection connection = cairn.connect();
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build());
    }
  }

  @AfterAll
  static void stop() throws IOException {
    cairn.close();
  }

  @Test
  void whateverCallBringsThem() throws IOException {
    try (Connection connection = cairn.connect();
        Table table = connection.getTable(NAME)) {
      Put late = put(2 * ALLOWED_MILLIS);
      assertThatThrownBy(() -> table.put(late))
          .isInstanceOf(FailedSanityCheckException.class)
          .hasMessageContainingAll("the row", KEY, String.valueOf(late.getTimestamp()));
      assertThatThrownBy(() -> table.put(List.of(late, late)))
          .hasMessageContaining(FailedSanityCheckException.class.getSimpleName());
      assertThatThrownBy(() -> table.mutateRow(RowMutations.of(List.of(late))))
          .hasMessageContaining(KEY);
      assertThatThrownBy(
              () ->
                  table.checkAndMutate(
                      CheckAndMutate.newBuilder(ROW).ifNotExists(F, F).build(late)))
          .hasMessageContaining(KEY);
      assertThat(table.exists(new Get(ROW))).isFalse();
    }
  }

  @Test
  void putsWithinTheLimitAndDeletesAreAccepted() throws IOException {
    try (Connection connection = cairn.connect();
        Table table = connection.getTable(NAME)) {
      byte[] row = Bytes.toBytes("another row");
      table.put(new Put(row).addColumn(F, F, F));
      table.put(new Put(row).addColumn(F, F, now() + ALLOWED_MILLIS / 2, F));
      assertThat(table.get(new Get(row).readAllVersions()).size()).isEqualTo(1);
      table.delete(new Delete(row, now() + 2 * ALLOWED_MILLIS));
      assertThat(table.exists(new Get(row))).isFalse();
    }
  }

  private static Put put(long aheadMillis) {
    return new Put(ROW, now() + aheadMillis).addColumn(F, F, F);
  }

  private static long now() {
    return System.currentTimeMillis();
  }
}
