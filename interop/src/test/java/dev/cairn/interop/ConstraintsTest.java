package dev.cairn.interop;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.interop.client.ServerUnderTest;
import dev.cairn.interop.client.TestTable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Apache's client declares constraints, and gets errors that it does not retry. */
class ConstraintsTest {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  private static final byte[] F = toBytes("f");
  private static final byte[] AGE = toBytes("age");
  private static final byte[] NAME = toBytes("name");
  private static final byte[] CUSTOMER = toBytes("customer");

  @BeforeEach
  void onlyCairnHasThem() {
    Assumptions.assumeTrue(ServerUnderTest.isCairn(), "HBase has no declared constraints");
  }

  private static TestTable create(Map<String, String> attributes) throws IOException {
    return SERVER.create(descriptor(attributes), new byte[0][]);
  }

  private static TableDescriptor descriptor(Map<String, String> attributes) {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(SERVER.newName("constraints"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F));
    attributes.forEach(table::setValue);
    return table.build();
  }

  private static Put put(String row, byte[] qualifier, byte[] value) {
    return new Put(toBytes(row)).addColumn(F, qualifier, value);
  }

  /** The client gets the exception itself: it tried once. */
  private static void refused(ThrowingCallable write, String message) {
    assertThatThrownBy(write)
        .isExactlyInstanceOf(FailedSanityCheckException.class)
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(message);
  }

  /** The client wraps the exceptions of a group, which it tried once, too. */
  private static void refusedRow(ThrowingCallable write, String message) {
    assertThatThrownBy(write)
        .isInstanceOfSatisfying(
            RetriesExhaustedWithDetailsException.class,
            failure ->
                assertThat(failure.getCauses())
                    .allSatisfy(
                        cause ->
                            assertThat(cause)
                                .isInstanceOf(FailedSanityCheckException.class)
                                .hasMessageContaining(message)));
  }

  @Test
  void eachKindOfMutationIsChecked() throws Exception {
    try (TestTable people =
        create(
            Map.of(
                "cairn.constraint.f:age", "type long; range 0..150",
                "cairn.constraint.f:name", "type utf8; length ..8"))) {
      String age = "column f:age breaks the rule \"range 0..150\"";
      String name = "column f:name breaks the rule \"length ..8\"";
      people.table().put(put("a", AGE, toBytes(150L)));
      refused(() -> people.table().put(put("a", AGE, toBytes(151L))), age);
      refused(() -> people.table().put(put("a", AGE, toBytes("150"))), "\"type long\"");
      refused(
          () -> people.table().increment(new Increment(toBytes("a")).addColumn(F, AGE, 1)), age);
      people.table().append(new Append(toBytes("a")).addColumn(F, NAME, toBytes("12345678")));
      refused(
          () -> people.table().append(new Append(toBytes("a")).addColumn(F, NAME, toBytes("9"))),
          name);
      refused(
          () ->
              people
                  .table()
                  .checkAndMutate(
                      CheckAndMutate.newBuilder(toBytes("a"))
                          .ifEquals(F, AGE, toBytes(150L))
                          .build(put("a", NAME, toBytes("123456789")))),
          name);
      RowMutations row =
          RowMutations.of(List.of(put("b", NAME, toBytes("b")), put("b", AGE, toBytes(-1L))));
      refusedRow(() -> people.table().mutateRow(row), age);
      assertThat(people.rows(new Scan())).hasSize(1);
    }
  }

  @Test
  void ofABatchOnlyTheBadPutsFail() throws Exception {
    try (TestTable people = create(Map.of("cairn.constraint.f:age", "type long; not null"))) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        puts.add(put("r" + i, i == 30 || i == 60 ? NAME : AGE, toBytes((long) i)));
      }
      assertThatThrownBy(() -> people.table().put(puts))
          .isInstanceOfSatisfying(
              RetriesExhaustedWithDetailsException.class,
              failure -> {
                assertThat(failure.getNumExceptions()).isEqualTo(2);
                assertThat(failure.getCauses())
                    .allSatisfy(
                        cause ->
                            assertThat(cause)
                                .isInstanceOf(FailedSanityCheckException.class)
                                .hasMessageContaining("the rule \"not null\""));
              });
      assertThat(people.rows(new Scan())).hasSize(98);
      refused(
          () -> people.table().delete(new Delete(toBytes("r1")).addColumns(F, AGE)),
          "does not delete the whole row");
      people.table().delete(new Delete(toBytes("r1")));
      people.table().delete(new Delete(toBytes("r2")).addFamily(F));
      people.table().put(put("r3", NAME, toBytes("x")));
      assertThat(people.rows(new Scan())).hasSize(96);
    }
  }

  @Test
  void malformedRulesAreRefusedAtCreateAndAlter() throws Exception {
    assertThatThrownBy(() -> create(Map.of("cairn.constraint.f:age", "type long; range 9..1")))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("cairn.constraint.f:age")
        .hasMessageContaining("\"range 9..1\"");
    try (TestTable people = create(Map.of())) {
      people.table().put(put("a", AGE, toBytes("old")));
      TableDescriptor wrong =
          TableDescriptorBuilder.newBuilder(people.admin().getDescriptor(people.name()))
              .setValue("cairn.constraint.g:age", "type long")
              .build();
      assertThatThrownBy(() -> people.admin().modifyTable(wrong))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("the table has no column family g");
      people
          .admin()
          .modifyTable(
              TableDescriptorBuilder.newBuilder(people.admin().getDescriptor(people.name()))
                  .setValue("cairn.constraint.f:age", "type long")
                  .build());
      refused(() -> people.table().put(put("a", AGE, toBytes("new"))), "\"type long\"");
      assertThat(people.value("a", "f:age")).isEqualTo("old");
      TableDescriptor without =
          TableDescriptorBuilder.newBuilder(people.admin().getDescriptor(people.name()))
              .removeColumnFamily(F)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("g"))
              .build();
      assertThatThrownBy(() -> people.admin().modifyTable(without))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("the table has no column family f");
    }
  }

  @Test
  void aReferenceNeedsItsRow() throws Exception {
    try (TestTable customers = SERVER.create("customers", "f");
        TestTable orders =
            create(Map.of("cairn.constraint.f:customer", "reference '" + customers.name() + "'"))) {
      String broken = "breaks the rule \"reference '" + customers.name() + "'\"";
      refused(() -> orders.table().put(put("o1", CUSTOMER, toBytes("ann"))), broken);
      customers.put("ann", "f:name", "Ann");
      customers.put("zoe", "f:name", "Zoe");
      orders.table().put(put("o1", CUSTOMER, toBytes("ann")));

      List<Put> puts = new ArrayList<>();
      for (String customer : List.of("ann", "bob", "zoe", "", "cid")) {
        puts.add(put("p-" + customer, CUSTOMER, toBytes(customer)));
      }
      puts.add(put("p-none", NAME, toBytes("x")));
      assertThatThrownBy(() -> orders.table().put(puts))
          .isInstanceOfSatisfying(
              RetriesExhaustedWithDetailsException.class,
              failure -> {
                assertThat(failure.getNumExceptions()).isEqualTo(2);
                assertThat(failure.getCauses())
                    .allSatisfy(cause -> assertThat(cause).hasMessageContaining(broken));
              });
      assertThat(orders.rows(new Scan())).hasSize(5);

      // The server remembers the regions of the other table, and notices that they have changed.
      customers.flush();
      customers.admin().split(customers.name(), toBytes("m"));
      Awaitility.await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> customers.admin().getRegions(customers.name()).size() == 2);
      orders.table().put(put("o2", CUSTOMER, toBytes("zoe")));
      refused(() -> orders.table().put(put("o3", CUSTOMER, toBytes("zo"))), broken);
      refusedRow(
          () ->
              orders
                  .table()
                  .mutateRow(
                      RowMutations.of(
                          List.of(
                              put("o4", NAME, toBytes("x")), put("o4", CUSTOMER, toBytes("bob"))))),
          broken);
      refused(
          () ->
              orders.table().append(new Append(toBytes("o2")).addColumn(F, CUSTOMER, toBytes("x"))),
          "cannot be computed");
      assertThat(orders.rows(new Scan())).hasSize(6);
    }
  }

  @Test
  void aReferenceToNoTableRefusesItsPuts() throws Exception {
    try (TestTable orders =
        create(Map.of("cairn.constraint.f:customer", "reference 'nobody_made_this'"))) {
      refused(
          () -> orders.table().put(put("o1", CUSTOMER, toBytes("ann"))),
          "\"reference 'nobody_made_this'\": table nobody_made_this does not exist");
      orders.table().put(put("o1", NAME, toBytes("x")));
    }
  }

  @Test
  void aReferenceToADisabledTableRefusesItsPuts() throws Exception {
    try (TestTable customers = create(Map.of());
        TestTable orders =
            create(Map.of("cairn.constraint.f:customer", "reference '" + customers.name() + "'"))) {
      customers.table().put(put("ann", NAME, toBytes("Ann")));
      orders.table().put(put("o1", CUSTOMER, toBytes("ann")));
      customers.admin().disableTable(customers.name());
      refused(
          () -> orders.table().put(put("o2", CUSTOMER, toBytes("ann"))),
          "table " + customers.name() + " is disabled");
      customers.admin().enableTable(customers.name());
      orders.table().put(put("o2", CUSTOMER, toBytes("ann")));
      assertThat(orders.rows(new Scan())).hasSize(2);
    }
  }
}
