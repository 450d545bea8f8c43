package dev.cairn.interop.guide;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.client.ServerUnderTest;
import dev.cairn.interop.client.TestTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** "Schema Design Case Studies". */
class CaseStudiesTest {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  private static final byte[] D = toBytes("d");
  private static final byte[] V = toBytes("v");

  private static void put(TestTable table, byte[] row, String value) throws IOException {
    table.table().put(new Put(row).addColumn(D, V, toBytes(value)));
  }

  private static List<String> values(TestTable table, Scan scan) throws IOException {
    List<String> values = new ArrayList<>();
    try (ResultScanner scanner = table.table().getScanner(scan)) {
      for (Result result : scanner) {
        values.add(Bytes.toString(result.value()));
      }
    }
    return values;
  }

  /** "Timestamp In The Rowkey Lead Position": a scan for each bucket finds one time range. */
  @Test
  void logDataInBuckets() throws IOException {
    int buckets = 4;
    try (TestTable logData = SERVER.create("LOG_DATA", "d")) {
      for (long timestamp = 0; timestamp < 40; timestamp++) {
        put(
            logData,
            Bytes.add(
                new byte[] {(byte) (timestamp % buckets)}, toBytes(timestamp), toBytes("host")),
            "t" + timestamp);
      }
      List<String> found = new ArrayList<>();
      for (byte bucket = 0; bucket < buckets; bucket++) {
        byte[] lead = {bucket};
        found.addAll(
            values(
                logData,
                new Scan()
                    .withStartRow(Bytes.add(lead, toBytes(10L)))
                    .withStopRow(Bytes.add(lead, toBytes(16L)))));
      }
      assertThat(found).containsExactlyInAnyOrder("t10", "t11", "t12", "t13", "t14", "t15");
    }
  }

  /** "Host In The Rowkey Lead Position", with a reverse timestamp: the latest events of a host. */
  @Test
  void theMostRecentEventsOfAHost() throws IOException {
    try (TestTable logData = SERVER.create("LOG_DATA", "d")) {
      for (String host : List.of("host1", "host2")) {
        for (long timestamp = 1; timestamp <= 9; timestamp++) {
          put(
              logData,
              Bytes.add(toBytes(host), toBytes("e1"), toBytes(Long.MAX_VALUE - timestamp)),
              host + " " + timestamp);
        }
      }
      assertThat(
              values(
                  logData, new Scan().setStartStopRowForPrefixScan(toBytes("host1e1")).setLimit(3)))
          .containsExactly("host1 9", "host1 8", "host1 7");
    }
  }

  /** "Composite Rowkey With Numeric Substitution": LOG_TYPES gives names a number, by a counter. */
  @Test
  void numericSubstitution() throws IOException {
    try (TestTable logTypes = SERVER.create("LOG_TYPES", "d");
        TestTable logData = SERVER.create("LOG_DATA", "d")) {
      byte[] key =
          Bytes.add(
              toBytes(number(logTypes, 1, "myserver1.mycompany.com")),
              toBytes(number(logTypes, 2, "com.package1.subpackage2.ImportantService")),
              toBytes(1234L));
      put(logData, key, "message");
      assertThat(key).hasSize(24);
      assertThat(number(logTypes, 1, "myserver1.mycompany.com"))
          .as("a name keeps its number")
          .isEqualTo(1);
      assertThat(number(logTypes, 1, "other")).isEqualTo(3);
      assertThat(values(logData, new Scan().setStartStopRowForPrefixScan(toBytes(1L))))
          .containsExactly("message");
    }
  }

  private static long number(TestTable logTypes, int type, String name) throws IOException {
    byte[] row = Bytes.add(new byte[] {(byte) type}, toBytes(name));
    Result known = logTypes.table().get(new Get(row));
    if (!known.isEmpty()) {
      return Bytes.toLong(known.value());
    }
    long next = logTypes.table().incrementColumnValue(new byte[] {0}, D, V, 1);
    boolean mine =
        logTypes
            .table()
            .checkAndMutate(
                CheckAndMutate.newBuilder(row)
                    .ifNotExists(D, V)
                    .build(new Put(row).addColumn(D, V, toBytes(next))))
            .isSuccess();
    return mine ? next : number(logTypes, type, name);
  }

  /**
   * "Log Data and Timeseries Data on Steroids": events of a time range become its row's columns.
   */
  @Test
  void eventsPackedIntoColumns() throws IOException {
    int rangeMillis = 300_000;
    try (TestTable detailed = SERVER.create("detailed", "d");
        TestTable packed = SERVER.create("packed", "d")) {
      for (long timestamp : new long[] {5, 70_000, 299_999, 300_000, 300_007}) {
        put(detailed, Bytes.add(toBytes("host1e1"), toBytes(timestamp)), "v" + timestamp);
      }
      try (ResultScanner events = detailed.table().getScanner(new Scan())) {
        for (Result event : events) {
          long timestamp = Bytes.toLong(event.getRow(), event.getRow().length - Long.BYTES);
          long range = timestamp - timestamp % rangeMillis;
          packed
              .table()
              .put(
                  new Put(Bytes.add(toBytes("host1e1"), toBytes(range)))
                      .addColumn(D, toBytes((int) (timestamp - range)), event.value()));
        }
      }
      List<Integer> columns = new ArrayList<>();
      try (ResultScanner rows = packed.table().getScanner(D)) {
        rows.forEach(row -> columns.add(row.size()));
      }
      assertThat(columns).containsExactly(3, 2);
      Result first =
          packed
              .table()
              .get(
                  new Get(Bytes.add(toBytes("host1e1"), toBytes(0L)))
                      .addColumn(D, toBytes(70_000)));
      assertThat(Bytes.toString(first.value())).isEqualTo("v70000");
    }
  }

  /** "Single Table? Multiple Tables?": one scan gets everything about a customer. */
  @Test
  void customersAndTheirOrdersInOneTable() throws IOException {
    try (TestTable customers = SERVER.create("CUSTOMER_ORDER", "d")) {
      for (String customer : List.of("c1", "c2")) {
        put(customers, toBytes(customer + "1"), customer);
        for (String order : List.of("o1", "o2")) {
          put(customers, toBytes(customer + "2" + order), customer + " " + order);
        }
      }
      assertThat(values(customers, new Scan().setStartStopRowForPrefixScan(toBytes("c1"))))
          .containsExactly("c1", "c1 o1", "c1 o2");
      assertThat(values(customers, new Scan().setStartStopRowForPrefixScan(toBytes("c22"))))
          .as("the orders alone")
          .containsExactly("c2 o1", "c2 o2");
    }
  }

  /** "Completely Normalized": a Get for the order, a Scan for each table below it. */
  @Test
  void ordersCompletelyNormalized() throws IOException {
    try (TestTable order = SERVER.create("ORDER", "d");
        TestTable location = SERVER.create("SHIPPING_LOCATION", "d");
        TestTable item = SERVER.create("LINE_ITEM", "d")) {
      for (String key : List.of("c1o1", "c1o2")) {
        put(order, toBytes(key), key);
        for (int at = 1; at <= 2; at++) {
          put(location, toBytes(key + "-" + at), key + " to " + at);
          for (int line = 1; line <= 2; line++) {
            put(item, toBytes(key + "-" + at + "-" + line), key + " to " + at + " line " + line);
          }
        }
      }
      Scan ofOrder = new Scan().setStartStopRowForPrefixScan(toBytes("c1o1-"));
      assertThat(order.value("c1o1", "d:v")).isEqualTo("c1o1");
      assertThat(values(location, ofOrder)).containsExactly("c1o1 to 1", "c1o1 to 2");
      assertThat(values(item, ofOrder))
          .containsExactly(
              "c1o1 to 1 line 1", "c1o1 to 1 line 2", "c1o1 to 2 line 1", "c1o1 to 2 line 2");
    }
  }

  /** "Single Table With Record Types": the order with all below it, in one scan. */
  @Test
  void ordersWithRecordTypes() throws IOException {
    try (TestTable order = SERVER.create("ORDER", "d")) {
      put(order, toBytes("c1o1-1"), "order");
      put(order, toBytes("c1o1-2-1"), "location 1");
      put(order, toBytes("c1o1-3-1-1"), "line 1");
      put(order, toBytes("c1o1-3-1-2"), "line 2");
      put(order, toBytes("c1o2-1"), "another order");
      assertThat(values(order, new Scan().setStartStopRowForPrefixScan(toBytes("c1o1-"))))
          .containsExactly("order", "location 1", "line 1", "line 2");
    }
  }

  /** "Denormalized": the line item has its location's columns; an update has many rows. */
  @Test
  void ordersDenormalized() throws IOException {
    try (TestTable order = SERVER.create("ORDER", "d")) {
      for (int line = 1; line <= 2; line++) {
        order
            .table()
            .put(
                new Put(toBytes("c1o1-3-" + line))
                    .addColumn(D, toBytes("itemNumber"), 1, toBytes("i" + line))
                    .addColumn(D, toBytes("quantity"), 1, toBytes("7"))
                    .addColumn(D, toBytes("shipToCity"), 1, toBytes("Ulm")));
      }
      for (String row : order.rows(new Scan())) {
        order.put(row, "d:shipToCity", 2, "Bonn");
      }
      assertThat(order.scan(new Scan()))
          .containsExactly(
              "c1o1-3-1/d:itemNumber@1=i1",
              "c1o1-3-1/d:quantity@1=7",
              "c1o1-3-1/d:shipToCity@2=Bonn",
              "c1o1-3-2/d:itemNumber@1=i2",
              "c1o1-3-2/d:quantity@1=7",
              "c1o1-3-2/d:shipToCity@2=Bonn");
    }
  }

  /** "Object BLOB": the whole order in one column, one Get away. */
  @Test
  void ordersAsObjects() throws IOException {
    String object = "{order: 1, locations: [{city: 'Ulm', items: [1, 2]}]}";
    try (TestTable order = SERVER.create("ORDER", "d")) {
      order.put("c1o1", "d:order", object);
      assertThat(order.value("c1o1", "d:order")).isEqualTo(object);
    }
  }

  /** "Rows vs. Versions": the same history either way. */
  @Test
  void rowsVersusVersions() throws IOException {
    try (TestTable table =
        SERVER.create(
            "rowsVersions",
            ColumnFamilyDescriptorBuilder.newBuilder(D).setMaxVersions(1000).build())) {
      for (int i = 1; i <= 200; i++) {
        table.put("versions", "d:v", i, "v" + i);
        put(table, Bytes.add(toBytes("rows"), toBytes(Long.MAX_VALUE - i)), "v" + i);
      }
      Result versions = table.table().get(new Get(toBytes("versions")).readAllVersions());
      List<String> byVersion = new ArrayList<>();
      versions.getMap().get(D).get(V).values().forEach(v -> byVersion.add(Bytes.toString(v)));
      assertThat(values(table, new Scan().setStartStopRowForPrefixScan(toBytes("rows"))))
          .hasSize(200)
          .isEqualTo(byVersion);
    }
  }

  /** "Rows vs. Columns": a row of thousands of columns, read slice by slice. */
  @Test
  void rowsVersusColumns() throws IOException {
    int columns = 3000;
    try (TestTable table = SERVER.create("wide", "d")) {
      Put wide = new Put(toBytes("wide"));
      for (int i = 0; i < columns; i++) {
        wide.addColumn(D, toBytes("q%05d".formatted(i)), 1, toBytes(i));
      }
      table.table().put(wide);
      List<Integer> batches = new ArrayList<>();
      try (ResultScanner scanner = table.table().getScanner(new Scan().setBatch(700))) {
        scanner.forEach(part -> batches.add(part.size()));
      }
      assertThat(batches).containsExactly(700, 700, 700, 700, 200);
      Result slice =
          table
              .table()
              .get(new Get(toBytes("wide")).setFilter(new ColumnPaginationFilter(5, 1000)));
      assertThat(TestTable.cells(slice))
          .hasSize(5)
          .first()
          .asString()
          .startsWith("wide/d:q01000@1=");
    }
  }

  /** "List Data", tall: one row for each value; the first thirty, and the next from a value on. */
  @Test
  void listDataTall() throws IOException {
    try (TestTable lists = SERVER.create("lists", "d")) {
      for (String user : List.of("user123", "user234")) {
        putValueIds(lists, user, 70);
      }
      Scan first = new Scan().withStartRow(toBytes("user123")).setLimit(30);
      List<String> page = lists.rows(first);
      assertThat(page).hasSize(30).startsWith("user123-0000").endsWith("user123-0029");
      Scan next = new Scan().withStartRow(toBytes(page.get(29)), false).setLimit(30);
      assertThat(lists.rows(next)).hasSize(30).startsWith("user123-0030");
      assertThat(lists.table().get(new Get(toBytes("user123-0000"))).value()).isEmpty();
    }
  }

  /** Writes a list with the values' ids in the rows and no values. */
  private static void putValueIds(TestTable lists, String user, int values) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < values; i++) {
      puts.add(
          new Put(toBytes("%s-%04d".formatted(user, i))).addColumn(D, new byte[0], new byte[0]));
    }
    lists.table().put(puts);
  }

  /** "List Data", in pages: a Get for a page, and an insertion that moves values to the next. */
  @Test
  void listDataInPages() throws IOException {
    byte[] page0 = Bytes.add(toBytes("user123"), toBytes(0));
    byte[] page1 = Bytes.add(toBytes("user123"), toBytes(1));
    try (TestTable lists = SERVER.create("pages", "d")) {
      put(lists, page0, "a,b,d");
      put(lists, page1, "e,f");
      put(lists, page0, "a,b,c");
      put(lists, page1, "d,e,f");
      assertThat(Bytes.toString(lists.table().get(new Get(page0)).value())).isEqualTo("a,b,c");
      assertThat(Bytes.toString(lists.table().get(new Get(page1)).value())).isEqualTo("d,e,f");
    }
  }

  /** "List Data", wide: all values of a user in one row, changed in one transaction. */
  @Test
  void listDataWide() throws IOException {
    byte[] user = toBytes("user123");
    try (TestTable lists = SERVER.create("wideLists", "d")) {
      lists
          .table()
          .mutateRow(
              new RowMutations(user)
                  .add(
                      List.of(
                          new Put(user).addColumn(D, toBytes("firstname"), 1, toBytes("Paul")),
                          new Put(user).addColumn(D, toBytes("lastname"), 1, toBytes("Smith")))));
      assertThat(lists.get(new Get(user)))
          .containsExactly("user123/d:firstname@1=Paul", "user123/d:lastname@1=Smith");
    }
  }
}
