package dev.cairn.interop.guide;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.interop.client.ServerUnderTest;
import dev.cairn.interop.client.TestTable;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * "HBase and Schema Design": schemas, data types, counters, joins, secondary indexes, constraints.
 */
class SchemaTest {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  /** "Schema Creation": families are added and changed while the table is disabled. */
  @Test
  void schemaCreation() throws IOException {
    Admin admin = SERVER.admin();
    try (TestTable myTable = SERVER.create("myTable", "cf0")) {
      myTable.put("r", "cf0:q", 1, "v");
      admin.disableTable(myTable.name());
      admin.addColumnFamily(myTable.name(), ColumnFamilyDescriptorBuilder.of("cf1"));
      admin.modifyColumnFamily(
          myTable.name(),
          ColumnFamilyDescriptorBuilder.newBuilder(toBytes("cf0")).setMaxVersions(4).build());
      admin.enableTable(myTable.name());
      myTable.put("r", "cf1:q", 1, "v");
      myTable.put("r", "cf0:q", 2, "v");
      assertThat(myTable.get(new Get(toBytes("r")).readAllVersions()))
          .containsExactly("r/cf0:q@2=v", "r/cf0:q@1=v", "r/cf1:q@1=v");
    }
  }

  /** The note there: since 0.92 the table may as well be enabled. */
  @Test
  void onlineSchemaChanges() throws IOException {
    Admin admin = SERVER.admin();
    try (TestTable myTable = SERVER.create("online", "cf0")) {
      myTable.put("r", "cf0:q", 1, "v");
      admin.addColumnFamily(myTable.name(), ColumnFamilyDescriptorBuilder.of("cf1"));
      myTable.put("r", "cf1:q", 1, "v");
      admin.deleteColumnFamily(myTable.name(), toBytes("cf0"));
      assertThat(myTable.scan(new Scan())).containsExactly("r/cf1:q@1=v");
    }
  }

  /** "Schema Updates": what is stored is rewritten by the next major compaction. */
  @Test
  void schemaUpdates() throws IOException {
    try (TestTable table =
        SERVER.create(
            "updates",
            ColumnFamilyDescriptorBuilder.newBuilder(toBytes("cf")).setMaxVersions(3).build())) {
      for (int i = 1; i <= 3; i++) {
        table.put("r", "cf:q", i, "v" + i);
      }
      table.flush();
      table
          .admin()
          .modifyColumnFamily(
              table.name(),
              ColumnFamilyDescriptorBuilder.newBuilder(toBytes("cf")).setMaxVersions(1).build());
      assertThat(table.get(new Get(toBytes("r")).readAllVersions())).containsExactly("r/cf:q@3=v3");
      assertThat(table.raw()).hasSize(3);
      table.majorCompact();
      assertThat(table.raw()).containsExactly("r/cf:q@3=v3");
    }
  }

  /** "Maximum Number of Versions": excess versions are removed during major compactions. */
  @Test
  void excessVersionsAreRemovedDuringMajorCompactions() throws IOException {
    try (TestTable table = SERVER.create("excess", "cf")) {
      for (int i = 1; i <= 3; i++) {
        table.put("r", "cf:q", i, "v" + i);
        table.flush();
      }
      table.majorCompact();
      assertThat(table.raw()).containsExactly("r/cf:q@3=v3");
    }
  }

  /** "Supported Datatypes": whatever can be made bytes. */
  @Test
  void supportedDatatypes() throws IOException {
    byte[] image = new byte[100_000];
    for (int i = 0; i < image.length; i++) {
      image[i] = (byte) (i * 31);
    }
    BigDecimal amount = new BigDecimal("12345678901234567890.0123456789");
    try (TestTable table = SERVER.create("types", "d")) {
      table
          .table()
          .put(
              new Put(toBytes("r"))
                  .addColumn(toBytes("d"), toBytes("string"), toBytes("grüß Gott"))
                  .addColumn(toBytes("d"), toBytes("double"), toBytes(Math.PI))
                  .addColumn(toBytes("d"), toBytes("decimal"), toBytes(amount))
                  .addColumn(toBytes("d"), toBytes("image"), image)
                  .addColumn(toBytes("d"), toBytes("nothing"), new byte[0]));
      Result r = table.table().get(new Get(toBytes("r")));
      assertThat(Bytes.toString(r.getValue(toBytes("d"), toBytes("string"))))
          .isEqualTo("grüß Gott");
      assertThat(Bytes.toDouble(r.getValue(toBytes("d"), toBytes("double")))).isEqualTo(Math.PI);
      assertThat(Bytes.toBigDecimal(r.getValue(toBytes("d"), toBytes("decimal"))))
          .isEqualTo(amount);
      assertThat(r.getValue(toBytes("d"), toBytes("image"))).isEqualTo(image);
      assertThat(r.getValue(toBytes("d"), toBytes("nothing"))).isEmpty();
    }
  }

  /** "Counters": atomic increments, synchronized at the server. */
  @Test
  void counters() throws Exception {
    int clients = 4;
    int rounds = 100;
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    try (TestTable table = SERVER.create("counters", "f")) {
      List<Callable<Void>> work = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        work.add(
            () -> {
              for (int round = 0; round < rounds; round++) {
                table
                    .table()
                    .increment(
                        new Increment(toBytes("r"))
                            .addColumn(toBytes("f"), toBytes("hits"), 1)
                            .addColumn(toBytes("f"), toBytes("bytes"), 10));
              }
              return null;
            });
      }
      for (Future<Void> done : threads.invokeAll(work)) {
        done.get(60, TimeUnit.SECONDS);
      }
      Result r = table.table().get(new Get(toBytes("r")));
      assertThat(Bytes.toLong(r.getValue(toBytes("f"), toBytes("hits"))))
          .isEqualTo(clients * rounds);
      assertThat(Bytes.toLong(r.getValue(toBytes("f"), toBytes("bytes"))))
          .isEqualTo(clients * rounds * 10);
    } finally {
      threads.shutdownNow();
    }
  }

  /** "Byte Patterns": a long is eight bytes, as the shell shows after {@code incr}. */
  @Test
  void bytePatterns() throws IOException {
    assertThat(toBytes(1234567890L)).hasSize(8);
    assertThat(toBytes(String.valueOf(1234567890L))).hasSize(10);
    try (TestTable t = SERVER.create("t", "f")) {
      assertThat(t.table().incrementColumnValue(toBytes("r"), toBytes("f"), toBytes("q"), 1))
          .isEqualTo(1);
      assertThat(Bytes.toStringBinary(t.table().get(new Get(toBytes("r"))).value()))
          .isEqualTo("\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01");
    }
  }

  /** "Filter Query": no secondary index at all. */
  @Test
  void filterQuery() throws IOException {
    try (TestTable activity = userActivity("filterQuery")) {
      SingleColumnValueFilter day =
          new SingleColumnValueFilter(
              toBytes("d"), toBytes("day"), CompareOperator.EQUAL, toBytes("2"));
      assertThat(activity.rows(new Scan().setFilter(day)))
          .containsExactly("ann-2", "bob-2", "cid-2");
    }
  }

  /** "Dual-Write Secondary Index": what is written to the data is written to the index too. */
  @Test
  void dualWriteSecondaryIndex() throws IOException {
    try (TestTable activity = userActivity("dualWrite");
        TestTable index = SERVER.create("dualWriteIndex", "d")) {
      for (String row : activity.rows(new Scan())) {
        index.put(row.substring(4) + "-" + row.substring(0, 3), "d:row", row);
      }
      List<String> found = new ArrayList<>();
      Scan day = new Scan().setStartStopRowForPrefixScan(toBytes("2-"));
      try (ResultScanner entries = index.table().getScanner(day)) {
        for (Result entry : entries) {
          found.add(TestTable.text(activity.table().get(new Get(entry.value())).getRow()));
        }
      }
      assertThat(found).containsExactly("ann-2", "bob-2", "cid-2");
    }
  }

  /** "Summary Tables": counts by day, in a table of their own. */
  @Test
  void summaryTables() throws IOException {
    try (TestTable activity = userActivity("summarized");
        TestTable summary = SERVER.create("summary", "d")) {
      for (String row : activity.rows(new Scan())) {
        summary
            .table()
            .incrementColumnValue(toBytes(row.substring(4)), toBytes("d"), toBytes("users"), 1);
      }
      Result day = summary.table().get(new Get(toBytes("2")));
      assertThat(Bytes.toLong(day.value())).isEqualTo(3);
    }
  }

  private static TestTable userActivity(String name) throws IOException {
    TestTable table = SERVER.create(name, "d");
    for (String user : List.of("ann", "bob", "cid")) {
      for (int day = 1; day <= 3; day++) {
        table.put(user + "-" + day, "d:day", Integer.toString(day));
      }
    }
    return table;
  }

  /**
   * "Constraints" run as a coprocessor of the table. Cairn runs none, so it does not take the table
   * rather than leave the rule out.
   */
  @Test
  void constraints() throws IOException {
    Assumptions.assumeTrue(ServerUnderTest.isCairn(), "HBase runs them");
    TableDescriptor constrained =
        TableDescriptorBuilder.newBuilder(SERVER.newName("constraints"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
            .setCoprocessor("org.apache.hadoop.hbase.constraint.ConstraintProcessor")
            .build();
    assertThatThrownBy(() -> SERVER.admin().createTable(constrained))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("oprocessor");
    assertThat(SERVER.admin().tableExists(constrained.getTableName())).isFalse();
  }
}
