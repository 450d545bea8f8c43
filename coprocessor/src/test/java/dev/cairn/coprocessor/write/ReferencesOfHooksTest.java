package dev.cairn.coprocessor.write;

import static dev.cairn.coprocessor.write.Referring.F;
import static dev.cairn.coprocessor.write.Referring.REF;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** References to rows of another table are checked for all values that hooks write. */
class ReferencesOfHooksTest {
  private static final TableName CHILD = TableName.valueOf("orders");
  private static final TableName PARENT = TableName.valueOf("customers");

  private static CairnServer server;
  private static Connection connection;
  private static Table table;

  @BeforeAll
  static void start() throws IOException {
    server = CairnServer.builder().setting("hbase.client.retries.number", "1").start();
    connection = server.connect();
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(PARENT)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build());
      admin.createTable(
          TableDescriptorBuilder.newBuilder(CHILD)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .setValue("cairn.constraint.f:ref", "reference 'customers'")
              .setCoprocessor(Referring.class.getName())
              .build());
    }
    try (Table parent = connection.getTable(PARENT)) {
      parent.put(new Put(Bytes.toBytes("known")).addColumn(F, F, F));
    }
    table = connection.getTable(CHILD);
  }

  @AfterAll
  static void stop() throws IOException {
    table.close();
    connection.close();
    server.close();
  }

  private static Put put(String row) {
    return new Put(Bytes.toBytes(row)).addColumn(F, F, F);
  }

  private static String reference(String row) throws IOException {
    return Bytes.toString(table.get(new Get(Bytes.toBytes(row))).getValue(F, REF));
  }

  @ParameterizedTest
  @ValueSource(strings = {"alone", "batch", "changed", "added"})
  void aValueOfAHookMustBeARow(String way) throws IOException {
    table.put(put(way + " good").setAttribute(way, Bytes.toBytes("known")));
    assertThat(reference(way + " good")).isEqualTo("known");
    Put bad = put(way + " bad").setAttribute(way, Bytes.toBytes("unknown"));
    if (way.equals("batch")) {
      table.put(bad); // the hook does not look at the statuses
    } else {
      assertThatThrownBy(() -> table.put(bad))
          .hasMessageContaining("reference 'customers'")
          .hasMessageContaining("the table has no such row");
    }
    assertThat(reference(way + " bad")).isNull();
  }

  @Test
  void oneOfABatchIsRefusedAlone() throws Exception {
    Object[] results = new Object[2];
    Put good = put("first").addColumn(F, REF, Bytes.toBytes("known"));
    Put bad = put("second").addColumn(F, REF, Bytes.toBytes("unknown"));
    assertThatThrownBy(() -> table.batch(List.of(good, bad), results))
        .hasMessageContaining("the table has no such row");
    assertThat(reference("first")).isEqualTo("known");
    assertThat(table.exists(new Get(Bytes.toBytes("second")))).isFalse();
  }

  @Test
  void mutationsThatGoTogetherAreRefusedTogether() throws Exception {
    RowMutations all =
        RowMutations.of(
            List.of(
                put("together"),
                new Put(Bytes.toBytes("together")).addColumn(F, REF, Bytes.toBytes("unknown"))));
    assertThatThrownBy(() -> table.mutateRow(all))
        .hasMessageContaining("the table has no such row");
    assertThat(table.exists(new Get(Bytes.toBytes("together")))).isFalse();
  }
}
