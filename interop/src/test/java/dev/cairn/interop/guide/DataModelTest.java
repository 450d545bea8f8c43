package dev.cairn.interop.guide;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.interop.client.ServerUnderTest;
import dev.cairn.interop.client.TestTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** "Data Model": the views of webtable, the four operations, sort order, joins. */
class DataModelTest {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  private static final byte[] CF = toBytes("cf");
  private static final byte[] ATTR = toBytes("attr");

  private static TestTable webtable() throws IOException {
    TestTable webtable =
        SERVER.create(
            "webtable",
            ColumnFamilyDescriptorBuilder.newBuilder(toBytes("contents")).setMaxVersions(3).build(),
            ColumnFamilyDescriptorBuilder.of("anchor"),
            ColumnFamilyDescriptorBuilder.of("people"));
    webtable.put("com.cnn.www", "anchor:cnnsi.com", 9, "CNN");
    webtable.put("com.cnn.www", "anchor:my.look.ca", 8, "CNN.com");
    webtable.put("com.cnn.www", "contents:html", 6, "<html>6");
    webtable.put("com.cnn.www", "contents:html", 5, "<html>5");
    webtable.put("com.cnn.www", "contents:html", 3, "<html>3");
    webtable.put("com.example.www", "contents:html", 5, "<html>e");
    webtable.put("com.example.www", "people:author", 5, "John Doe");
    return webtable;
  }

  /** "Conceptual View": a sparse map; cells that appear to be empty do not exist. */
  @Test
  void conceptualView() throws IOException {
    try (TestTable webtable = webtable()) {
      assertThat(webtable.scan(new Scan().readAllVersions()))
          .containsExactly(
              "com.cnn.www/anchor:cnnsi.com@9=CNN",
              "com.cnn.www/anchor:my.look.ca@8=CNN.com",
              "com.cnn.www/contents:html@6=<html>6",
              "com.cnn.www/contents:html@5=<html>5",
              "com.cnn.www/contents:html@3=<html>3",
              "com.example.www/contents:html@5=<html>e",
              "com.example.www/people:author@5=John Doe");
      Result cnn = webtable.table().get(new Get(toBytes("com.cnn.www")).readAllVersions());
      assertThat(cnn.getMap().get(toBytes("contents")).get(toBytes("html")).keySet())
          .containsExactly(6L, 5L, 3L);
      assertThat(cnn.getMap()).doesNotContainKey(toBytes("people"));
    }
  }

  /** "Physical View": stored by family; a time at which nothing was written has no value. */
  @Test
  void physicalView() throws IOException {
    try (TestTable webtable = webtable()) {
      assertThat(webtable.scan(new Scan().addFamily(toBytes("anchor")).readAllVersions()))
          .containsExactly(
              "com.cnn.www/anchor:cnnsi.com@9=CNN", "com.cnn.www/anchor:my.look.ca@8=CNN.com");
      Get cnn = new Get(toBytes("com.cnn.www"));
      assertThat(
              webtable.get(
                  new Get(cnn.getRow())
                      .addColumn(toBytes("contents"), toBytes("html"))
                      .setTimestamp(8)))
          .as("contents:html at t8")
          .isEmpty();
      assertThat(
              webtable.get(
                  new Get(cnn.getRow())
                      .addColumn(toBytes("anchor"), toBytes("my.look.ca"))
                      .setTimestamp(9)))
          .as("anchor:my.look.ca at t9")
          .isEmpty();
      assertThat(webtable.get(cnn))
          .as("without a timestamp, the most recent value of each column")
          .containsExactly(
              "com.cnn.www/anchor:cnnsi.com@9=CNN",
              "com.cnn.www/anchor:my.look.ca@8=CNN.com",
              "com.cnn.www/contents:html@6=<html>6");
    }
  }

  /** "Row": uninterpreted bytes in lexicographical order; the empty key is start and end. */
  @Test
  void row() throws IOException {
    try (TestTable table = SERVER.create("row", "cf")) {
      for (byte[] key :
          new byte[][] {{(byte) 0xff}, {'b'}, {0}, {'a', 0}, {'a'}, {0, 0}, {'1', '0'}, {'9'}}) {
        table.table().put(new Put(key).addColumn(CF, ATTR, toBytes("v")));
      }
      assertThat(table.rows(new Scan().withStartRow(new byte[0]).withStopRow(new byte[0])))
          .containsExactly("\\x00", "\\x00\\x00", "10", "9", "a", "a\\x00", "b", "\\xFF");
    }
  }

  /**
   * "Column Family": declared up front; qualifiers are any bytes and come into being by writing.
   */
  @Test
  void columnFamily() throws IOException {
    try (TestTable table = SERVER.create("columnFamily", "courses")) {
      table.put("student", "courses:history", 1, "A");
      table.put("student", "courses:math", 1, "B");
      byte[] any = {0, ':', (byte) 0xff, '\n'};
      table.table().put(new Put(toBytes("student")).addColumn(toBytes("courses"), any, ATTR));
      assertThat(table.table().get(new Get(toBytes("student"))).getFamilyMap(toBytes("courses")))
          .containsOnlyKeys(any, toBytes("history"), toBytes("math"));
      assertThatThrownBy(() -> table.put("student", "grades:math", "C"))
          .isInstanceOf(NoSuchColumnFamilyException.class);
      assertThatThrownBy(() -> ColumnFamilyDescriptorBuilder.of("un\u0001printable"))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** "Put": adds a new row, or updates an existing one; by put or by batch. */
  @Test
  void put() throws Exception {
    try (TestTable table = SERVER.create("put", "cf")) {
      table.put("row1", "cf:attr", "new");
      table
          .table()
          .batch(
              List.<Row>of(
                  new Put(toBytes("row1")).addColumn(CF, ATTR, toBytes("updated")),
                  new Put(toBytes("row2")).addColumn(CF, ATTR, toBytes("new"))),
              new Object[2]);
      assertThat(table.value("row1", "cf:attr")).isEqualTo("updated");
      assertThat(table.value("row2", "cf:attr")).isEqualTo("new");
    }
  }

  /** "Scans": the rows that begin with "row", among others. */
  @Test
  void scans() throws IOException {
    try (TestTable table = SERVER.create("scans", "cf")) {
      for (String row : List.of("row1", "row2", "row3", "abc1", "abc2", "abc3")) {
        table.put(row, "cf:attr", row);
      }
      Scan scan = new Scan().addColumn(CF, ATTR).setStartStopRowForPrefixScan(toBytes("row"));
      List<String> found = new ArrayList<>();
      try (ResultScanner scanner = table.table().getScanner(scan)) {
        for (Result r = scanner.next(); r != null; r = scanner.next()) {
          found.add(Bytes.toString(r.getValue(CF, ATTR)));
        }
      }
      assertThat(found).containsExactly("row1", "row2", "row3");
      assertThat(
              table.rows(
                  new Scan()
                      .withStartRow(toBytes("abc2"))
                      .setFilter(new InclusiveStopFilter(toBytes("row1")))))
          .as("the easiest way to specify a stop point")
          .containsExactly("abc2", "abc3", "row1");
    }
  }

  /** "Delete": a tombstone for each family, cleaned up with the dead values by major compaction. */
  @Test
  void delete() throws IOException {
    try (TestTable table = SERVER.create("delete", "a", "b")) {
      table.put("row", "a:x", 1, "v");
      table.put("row", "a:y", 1, "v");
      table.put("row", "b:z", 1, "v");
      table.table().delete(new Delete(toBytes("row"), 5));
      assertThat(table.get(new Get(toBytes("row")))).isEmpty();
      assertThat(table.raw())
          .containsExactly(
              "row/a:@5 DeleteFamily",
              "row/a:x@1=v",
              "row/a:y@1=v",
              "row/b:@5 DeleteFamily",
              "row/b:z@1=v");
      table.flush();
      table.majorCompact();
      assertThat(table.raw()).isEmpty();
    }
  }

  /** "Sort Order": by row, family, qualifier, and timestamp, the newest first. */
  @Test
  void sortOrder() throws IOException {
    try (TestTable table =
        SERVER.create(
            "sortOrder",
            ColumnFamilyDescriptorBuilder.newBuilder(toBytes("b")).setMaxVersions(2).build(),
            ColumnFamilyDescriptorBuilder.of("a"))) {
      table.put("row2", "b:y", 1, "v");
      table.put("row2", "b:y", 2, "v");
      table.put("row2", "b:x", 1, "v");
      table.put("row2", "a:z", 1, "v");
      table.put("row1", "b:z", 1, "v");
      assertThat(table.scan(new Scan().readAllVersions()))
          .containsExactly(
              "row1/b:z@1=v", "row2/a:z@1=v", "row2/b:x@1=v", "row2/b:y@2=v", "row2/b:y@1=v");
    }
  }

  /** "Column Metadata": which columns there are is known only once all rows were read. */
  @Test
  void columnMetadata() throws IOException {
    try (TestTable table = SERVER.create("columnMetadata", "cf")) {
      table.put("r1", "cf:a", "1");
      table.put("r2", "cf:b", "1");
      table.put("r2", "cf:c", "1");
      Set<String> columns = new TreeSet<>();
      try (ResultScanner scanner = table.table().getScanner(CF)) {
        for (Result result : scanner) {
          result.listCells().forEach(c -> columns.add(Bytes.toString(CellUtil.cloneQualifier(c))));
        }
      }
      assertThat(columns).containsExactly("a", "b", "c");
    }
  }

  /** "Joins": with a lookup table, in the application; or denormalized when it is written. */
  @Test
  void joins() throws IOException {
    try (TestTable orders = SERVER.create("orders", "cf");
        TestTable customers = SERVER.create("customers", "cf")) {
      customers.put("c1", "cf:name", "Ann");
      customers.put("c2", "cf:name", "Bob");
      orders.put("o1", "cf:customer", "c2");
      orders.put("o2", "cf:customer", "c1");
      orders.put("o3", "cf:customer", "c2");
      List<String> joined = new ArrayList<>();
      try (ResultScanner scanner = orders.table().getScanner(CF, toBytes("customer"))) {
        for (Result order : scanner) {
          Result customer = customers.table().get(new Get(order.value()));
          joined.add(Bytes.toString(order.getRow()) + " " + Bytes.toString(customer.value()));
        }
      }
      assertThat(joined).containsExactly("o1 Bob", "o2 Ann", "o3 Bob");

      orders.put("o1", "cf:name", "Bob");
      assertThat(
              orders.rows(
                  new Scan()
                      .setFilter(
                          withColumn(
                              new SingleColumnValueFilter(
                                  CF, toBytes("name"), CompareOperator.EQUAL, toBytes("Bob"))))))
          .containsExactly("o1");
    }
  }

  private static SingleColumnValueFilter withColumn(SingleColumnValueFilter filter) {
    filter.setFilterIfMissing(true);
    return filter;
  }
}
