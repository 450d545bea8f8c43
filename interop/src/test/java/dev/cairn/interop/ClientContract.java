package dev.cairn.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotDisabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.constraint.ConstraintException;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;

/**
 * What Apache's client finds when it talks to a Cairn; run over each way in which a client finds
 * the servers. Reads and writes are only touched here: {@link dev.cairn.interop.client} has them
 * with all their options.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ClientContract {
  static final byte[] F = bytes("f");
  static final byte[] G = bytes("g");
  static final byte[] Q = bytes("q");

  private Connection connection;
  private Admin admin;
  private TableName name;

  /** Starts a server and returns how a client reaches it. */
  abstract Configuration startServer() throws Exception;

  abstract void stopServer() throws Exception;

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String text(byte[] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }

  @BeforeAll
  void connect() throws Exception {
    connection = ConnectionFactory.createConnection(startServer());
    admin = connection.getAdmin();
  }

  @AfterAll
  void disconnect() throws Exception {
    try {
      if (admin != null) {
        admin.close();
        connection.close();
      }
    } finally {
      stopServer();
    }
  }

  @BeforeEach
  void nameTheTable(TestInfo test) {
    name = TableName.valueOf(test.getTestMethod().orElseThrow().getName());
  }

  private Table create(byte[][] splits, ColumnFamilyDescriptor... families) throws IOException {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(name);
    for (ColumnFamilyDescriptor family : families) {
      builder.setColumnFamily(family);
    }
    admin.createTable(builder.build(), splits);
    return connection.getTable(name);
  }

  private Table create() throws IOException {
    return create(null, family("f", 3), family("g", 1));
  }

  private static ColumnFamilyDescriptor family(String name, int versions) {
    return ColumnFamilyDescriptorBuilder.newBuilder(bytes(name)).setMaxVersions(versions).build();
  }

  private static Put put(String row, String qualifier, String value) {
    return new Put(bytes(row)).addColumn(F, bytes(qualifier), bytes(value));
  }

  private static List<String> rows(Table table, Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        rows.add(text(result.getRow()));
      }
    }
    return rows;
  }

  @Test
  void tablesAreCreatedListedDescribedDisabledAndDeleted() throws IOException {
    try (Table table = create(new byte[][] {bytes("h"), bytes("p")}, family("f", 3))) {
      assertThat(admin.tableExists(name)).isTrue();
      assertThat(admin.listTableNames()).contains(name);
      assertThat(admin.getRegions(name)).hasSize(3);
      assertThat(admin.getDescriptor(name).getColumnFamily(F).getMaxVersions()).isEqualTo(3);
      assertThatThrownBy(() -> admin.createTable(admin.getDescriptor(name)))
          .isInstanceOf(TableExistsException.class);
      assertThatThrownBy(() -> admin.deleteTable(name))
          .isInstanceOf(TableNotDisabledException.class);
      table.put(put("a", "q", "1"));
      admin.disableTable(name);
      assertThat(admin.isTableDisabled(name)).isTrue();
      admin.enableTable(name);
      assertThat(text(table.get(new Get(bytes("a"))).getValue(F, Q))).isEqualTo("1");
      admin.disableTable(name);
      admin.deleteTable(name);
      assertThat(admin.tableExists(name)).isFalse();
      assertThatThrownBy(() -> admin.getDescriptor(name))
          .isInstanceOf(TableNotFoundException.class);
    }
  }

  @Test
  void descriptorsComeBackWithEveryAttribute() throws IOException {
    TableDescriptor descriptor =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(F)
                    .setMaxVersions(7)
                    .setTimeToLive(86400)
                    .setValue("OWN", "kept")
                    .setConfiguration("some.key", "some value")
                    .build())
            .setValue("OWNER", "somebody")
            .build();
    admin.createTable(descriptor);

    // As in HBase 2.6, the server adds the store file tracker to the descriptor.
    assertThat(admin.getDescriptor(name))
        .isEqualTo(
            TableDescriptorBuilder.newBuilder(descriptor)
                .setValue("hbase.store.file-tracker.impl", "DEFAULT")
                .build());
  }

  @Test
  void familiesAreAddedChangedAndRemoved() throws IOException {
    try (Table table = create()) {
      table.put(put("a", "q", "1"));
      admin.addColumnFamily(name, ColumnFamilyDescriptorBuilder.of("h"));
      table.put(new Put(bytes("a")).addColumn(bytes("h"), Q, bytes("2")));
      admin.modifyColumnFamily(name, family("f", 5));
      assertThat(admin.getDescriptor(name).getColumnFamily(F).getMaxVersions()).isEqualTo(5);
      admin.deleteColumnFamily(name, G);
      assertThat(admin.getDescriptor(name).hasColumnFamily(G)).isFalse();
      Result result = table.get(new Get(bytes("a")));
      assertThat(text(result.getValue(F, Q))).isEqualTo("1");
      assertThat(text(result.getValue(bytes("h"), Q))).isEqualTo("2");
    }
  }

  @Test
  void truncatingKeepsTheRegionsAndDropsTheRows() throws IOException {
    try (Table table = create(new byte[][] {bytes("m")}, family("f", 1))) {
      table.put(put("a", "q", "1"));
      table.put(put("z", "q", "1"));
      admin.disableTable(name);
      admin.truncateTable(name, true);
      assertThat(admin.getRegions(name)).hasSize(2);
      assertThat(rows(table, new Scan())).isEmpty();
      table.put(put("z", "q", "2"));
      assertThat(rows(table, new Scan())).containsExactly("z");
    }
  }

  @Test
  void scansOverRegionsInBothDirections() throws IOException {
    try (Table table = create(new byte[][] {bytes("r3"), bytes("r6")}, family("f", 1))) {
      for (int i = 0; i < 10; i++) {
        table.put(put("r" + i, "q", "v" + i));
      }
      assertThat(rows(table, new Scan())).hasSize(10).isSorted();
      assertThat(rows(table, new Scan().setReversed(true)))
          .isEqualTo(List.of("r9", "r8", "r7", "r6", "r5", "r4", "r3", "r2", "r1", "r0"));
      assertThat(rows(table, new Scan().withStartRow(bytes("r2")).withStopRow(bytes("r7"))))
          .containsExactly("r2", "r3", "r4", "r5", "r6");
      assertThat(
              rows(
                  table,
                  new Scan().withStartRow(bytes("r2"), false).withStopRow(bytes("r7"), true)))
          .containsExactly("r3", "r4", "r5", "r6", "r7");
      assertThat(rows(table, new Scan().setLimit(4))).hasSize(4);
      assertThat(rows(table, new Scan().setCaching(1))).hasSize(10);
      assertThat(rows(table, new Scan().setOneRowLimit())).containsExactly("r0");
      assertThat(
              rows(
                  table,
                  new Scan()
                      .setReversed(true)
                      .withStartRow(bytes("r7"))
                      .withStopRow(bytes("r2"))
                      .setCaching(2)))
          .containsExactly("r7", "r6", "r5", "r4", "r3");
    }
  }

  @Test
  void filtersRunAtTheServer() throws IOException {
    try (Table table = create()) {
      for (int i = 0; i < 20; i++) {
        table.put(put("r%02d".formatted(i), i % 2 == 0 ? "even" : "odd", "v" + i));
      }
      assertThat(rows(table, new Scan().setFilter(new PrefixFilter(bytes("r1"))))).hasSize(10);
      assertThat(rows(table, new Scan().setFilter(new ColumnPrefixFilter(bytes("ev")))))
          .hasSize(10);
      assertThat(rows(table, new Scan().setFilter(new PageFilter(3)))).hasSize(3);
      SingleColumnValueFilter value =
          new SingleColumnValueFilter(F, bytes("even"), CompareOperator.EQUAL, bytes("v4"));
      value.setFilterIfMissing(true);
      assertThat(rows(table, new Scan().setFilter(value))).containsExactly("r04");
      assertThat(
              rows(
                  table,
                  new Scan().setFilter(new FilterList(new PrefixFilter(bytes("r0")), value))))
          .containsExactly("r04");
    }
  }

  @Test
  void bufferedMutatorAndTheAsyncClient() throws Exception {
    try (Table table = create(new byte[][] {bytes("r5")}, family("f", 1))) {
      try (BufferedMutator mutator = connection.getBufferedMutator(name)) {
        for (int i = 0; i < 1000; i++) {
          mutator.mutate(put("r%03d".formatted(i), "q", "v" + i));
        }
      }
      try (AsyncConnection async =
          ConnectionFactory.createAsyncConnection(connection.getConfiguration())
              .get(60, TimeUnit.SECONDS)) {
        AsyncTable<?> asyncTable = async.getTable(name);
        Result result = asyncTable.get(new Get(bytes("r123"))).get(60, TimeUnit.SECONDS);
        assertThat(text(result.getValue(F, Q))).isEqualTo("v123");
        assertThat(asyncTable.scanAll(new Scan()).get(60, TimeUnit.SECONDS)).hasSize(1000);
        CheckAndMutate unmet =
            CheckAndMutate.newBuilder(bytes("r123"))
                .ifEquals(F, Q, bytes("else"))
                .build(new RowMutations(bytes("r123")).add(List.of(put("r123", "q", "no"))));
        assertThat(asyncTable.checkAndMutate(unmet).get(60, TimeUnit.SECONDS).isSuccess())
            .isFalse();
      }
    }
  }

  @Test
  void whatCannotBeDoneIsSaidWithTheExpectedException() throws IOException {
    assertThatThrownBy(
            () -> connection.getTable(TableName.valueOf("no_such_table")).get(new Get(bytes("a"))))
        .isInstanceOf(TableNotFoundException.class);
    try (Admin admin = connection.getAdmin()) {
      assertThatThrownBy(() -> admin.disableTable(TableName.META_TABLE_NAME))
          .isInstanceOf(ConstraintException.class);
    }
    try (Table table = create()) {
      assertThatThrownBy(
              () -> table.put(new Put(bytes("r")).addColumn(bytes("unknown"), Q, bytes("v"))))
          .isInstanceOf(NoSuchColumnFamilyException.class);
      assertThatThrownBy(() -> table.get(new Get(bytes("r")).addFamily(bytes("unknown"))))
          .isInstanceOf(NoSuchColumnFamilyException.class);
      byte[] tooLarge = new byte[11 << 20];
      Put mixed = put("r", "small", "x").addColumn(F, bytes("large"), tooLarge);
      assertThatThrownBy(() -> table.batch(List.of(mixed), new Object[1]))
          .hasMessageContaining("DoNotRetryIOException");
      assertThat(table.exists(new Get(bytes("r")))).isFalse();
    }
  }

  @Test
  void clientsBefore26FlushAFamilyByTheOldProcedure() throws IOException {
    try (Table table = create()) {
      table.put(put("r", "q", "v").addColumn(G, Q, bytes("w")));
      admin.execProcedure("flush-table-proc", name.getNameAsString(), Map.of("family", "f"));
      assertThatThrownBy(
              () ->
                  admin.execProcedure(
                      "flush-table-proc", name.getNameAsString(), Map.of("family", "nope")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("nope");
      assertThat(text(table.get(new Get(bytes("r"))).getValue(G, Q))).isEqualTo("w");
    }
  }

  @Test
  void aTableMayBeReadOnlyAndHaveItsOwnLimit() throws IOException {
    try (Admin admin = connection.getAdmin();
        Table table = create()) {
      TableDescriptor plain = table.getDescriptor();
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(plain)
              .setValue("hbase.server.keyvalue.maxsize", "1000")
              .build());
      table.put(put("r", "q", "v"));
      assertThatThrownBy(() -> table.put(new Put(bytes("r")).addColumn(F, Q, new byte[1000])))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("limit of 1000");
      admin.modifyTable(TableDescriptorBuilder.newBuilder(plain).setReadOnly(true).build());
      assertThatThrownBy(() -> table.delete(new Delete(bytes("r"))))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("read only");
      assertThat(text(table.get(new Get(bytes("r"))).getValue(F, Q))).isEqualTo("v");
    }
  }

  @Test
  void largeValuesTravelBothWays() throws IOException {
    try (Table table = create()) {
      byte[] value = new byte[3 << 20];
      Arrays.fill(value, (byte) 7);
      table.put(new Put(bytes("large")).addColumn(F, Q, value));
      assertThat(table.get(new Get(bytes("large"))).getValue(F, Q)).isEqualTo(value);
      admin.flush(name);
      assertThat(table.get(new Get(bytes("large"))).getValue(F, Q)).isEqualTo(value);
    }
  }

  @Test
  void metaIsATableLikeAnyOther() throws IOException {
    try (Table table = create(new byte[][] {bytes("m")}, family("f", 1));
        Table meta = connection.getTable(TableName.META_TABLE_NAME)) {
      Scan scan =
          new Scan()
              .setStartStopRowForPrefixScan(bytes(name + ","))
              .addFamily(HConstants.CATALOG_FAMILY);
      try (ResultScanner scanner = meta.getScanner(scan)) {
        int regions = 0;
        for (Result result : scanner) {
          assertThat(result.getValue(HConstants.CATALOG_FAMILY, HConstants.SERVER_QUALIFIER))
              .isNotNull();
          regions++;
        }
        assertThat(regions).isEqualTo(2);
      }
    }
  }
}
