package dev.cairn.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.explain.ExplainOptions;
import dev.cairn.testing.CairnServer;
import dev.cairn.tools.explain.ExplainJsonPrinter;
import dev.cairn.tools.explain.ExplainQuestion;
import dev.cairn.tools.explain.ExplainTextPrinter;
import dev.cairn.tools.explain.Explainer;
import dev.cairn.tools.explain.Explainer.ExplainException;
import dev.cairn.tools.explain.RegionsTextPrinter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@code cairn explain} through Apache's client, against a table of three regions. */
class ExplainTest {
  private static final TableName TABLE = TableName.valueOf("people");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] CITY = Bytes.toBytes("city");
  private static final byte[] MAIL = Bytes.toBytes("mail");

  private static CairnServer cairn;
  private static Connection connection;

  @BeforeAll
  static void load() throws IOException {
    cairn = CairnServer.start();
    connection = cairn.connect();
    try (Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(2).build())
              .build(),
          new byte[][] {Bytes.toBytes("h"), Bytes.toBytes("p")});
      put(table, "ada", CITY, 100, "London");
      put(table, "ada", MAIL, 100, "ada@a");
      put(table, "kim", CITY, 100, "Seoul");
      admin.flush(TABLE);
      put(table, "aaa", CITY, 100, "Nice");
      put(table, "bob", CITY, 100, "Rome");
      put(table, "zoe", CITY, 100, "Oslo");
      admin.flush(TABLE);
      put(table, "ada", CITY, 200, "Paris");
      put(table, "ada", CITY, 300, "Wien");
      put(table, "ada", CITY, 300, "Bern");
      table.delete(new Delete(Bytes.toBytes("ada")).addColumns(F, MAIL, 150));
      put(table, "ada", MAIL, 120, "ada@b");
    }
  }

  @AfterAll
  static void stop() throws IOException {
    connection.close();
    cairn.close();
  }

  @Test
  void saysOfEachCellWhatBecameOfIt() throws IOException {
    String text = text(row("ada"));
    assertThat(text)
        .contains(
            "Read of row ada of table people.",
            "family f: VERSIONS => 2, TTL => FOREVER, KEEP_DELETED_CELLS => FALSE",
            "Row ada: 1 of 7 cells returned");
    assertThat(lines(text, "  f:city"))
        .satisfiesExactly(
            line -> assertThat(line).contains(" 300 ", " memstore ").endsWith("RETURNED: Bern"),
            line ->
                assertThat(line)
                    .contains(" 300 ", "a later write has the same column and timestamp"),
            line -> assertThat(line).contains(" 200 ", "only 1 version is asked for"),
            line -> assertThat(line).contains(" 100 ", " file 2 ", "only 1 version"));
    assertThat(lines(text, "  f:mail"))
        .satisfiesExactly(
            line -> assertThat(line).contains("DeleteColumn", "hides all versions of this column"),
            line -> assertThat(line).contains(" 120 ", "by the DeleteColumn marker of 150 (write"),
            line -> assertThat(line).contains(" 100 ", " file 2 ", "by the DeleteColumn marker"));
    assertThat(text)
        .containsPattern("file 1 .* not read: its Bloom filter \\(ROW\\) knows")
        .containsPattern("file 2 .* read: \\d+ blocks? from the cache, \\d+ from disk");
  }

  @Test
  void saysOfRowsThatAreNotThereThatTheyAreNot() throws IOException {
    assertThat(text(row("eve"))).contains("This row has no cell");
    assertThat(text(row("ada"))).doesNotContain("has no cell", "has no row");
    assertThat(text(scan(new Scan().withStartRow(Bytes.toBytes("l")), 100)))
        .containsOnlyOnce("This region has no row of the request.")
        .contains("Row zoe: 1 of 1 cell returned");
  }

  @Test
  void saysOfLargeValuesWhichMobFileHasThem() throws IOException {
    TableName name = TableName.valueOf("pictures");
    byte[] row = Bytes.toBytes("r");
    try (Admin admin = connection.getAdmin();
        Table table = connection.getTable(name)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(F)
                      .setMobEnabled(true)
                      .setMobThreshold(1000)
                      .build())
              .build());
      table.put(new Put(row).addColumn(F, CITY, new byte[2000]).addColumn(F, MAIL, row));
      admin.flush(name);
    }
    String text =
        text(
            new ExplainQuestion(
                name, Optional.of(row), new Scan().withStartRow(row), 1, 100, Optional.empty()));
    assertThat(text)
        .containsPattern("f:city .* RETURNED: 2000 bytes in the MOB file [0-9a-f_]{60,}\\R")
        .containsPattern("f:mail .* RETURNED: r\\R");
  }

  @Test
  void anExplanationTellsWhichIndexAScanTakesAndWhyNot() throws IOException {
    TableName name = TableName.valueOf("indexed");
    SingleColumnValueFilter city =
        new SingleColumnValueFilter(F, CITY, CompareOperator.EQUAL, Bytes.toBytes("Rome"));
    try (Admin admin = connection.getAdmin();
        Table table = connection.getTable(name)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .setValue("cairn.index.city", "f:city")
              .build());
      table.put(new Put(Bytes.toBytes("bob")).addColumn(F, CITY, Bytes.toBytes("Rome")));
      table.put(new Put(Bytes.toBytes("kim")).addColumn(F, CITY, Bytes.toBytes("Seoul")));
      assertThat(text(filtered(name, city)))
          .contains("Index: not taken. Condition of the filter: any row.")
          .contains("set filterIfMissing");
      city.setFilterIfMissing(true);
      assertThat(text(filtered(name, city)))
          .contains("Index: taken. It gives 1 rows for f:city = \"Rome\"");
      SingleColumnValueFilter mail =
          new SingleColumnValueFilter(F, MAIL, CompareOperator.EQUAL, Bytes.toBytes("a"));
      mail.setFilterIfMissing(true);
      assertThat(text(filtered(name, mail)))
          .contains("Index: not taken. Condition of the filter: f:mail = \"a\".")
          .contains("f:mail: the column has no index.");
    }
  }

  @Test
  void anExplanationTellsWhichFilesAndRegionsAnIndexSkips() throws IOException {
    TableName name = TableName.valueOf("fanned");
    try (Admin admin = connection.getAdmin();
        Table table = connection.getTable(name)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .setValue("cairn.index.city", "f:city")
              .build(),
          new byte[][] {Bytes.toBytes("c"), Bytes.toBytes("f"), Bytes.toBytes("k")});
      for (String cities : List.of("Bern Rome", "Oslo Paris", "Quito Seoul", "Aarau Turin")) {
        // The first rows of the regions are a, d, g and k.
        byte start = (byte) ("BOQA".indexOf(cities.charAt(0)) * 3 + 'a');
        for (String city : cities.split(" ")) {
          Put put = new Put(new byte[] {start == 'j' ? (byte) 'k' : start, (byte) city.charAt(0)});
          table.put(put.addColumn(F, CITY, Bytes.toBytes(city)));
        }
      }
      admin.flush(name);
    }
    SingleColumnValueFilter city =
        new SingleColumnValueFilter(F, CITY, CompareOperator.EQUAL, Bytes.toBytes("Rome"));
    city.setFilterIfMissing(true);
    String text = text(filtered(name, city));
    assertThat(text)
        .containsPattern("f:city +file 1 +searched: it has 1 entries")
        .contains("skipped: no wanted value is between its least and its greatest one")
        .contains("skipped: its Bloom filter excludes the wanted values")
        .contains("So the region is skipped: no row of it is read.");
    ExplainQuestion regions =
        new ExplainQuestion(
            name, Optional.empty(), new Scan().setFilter(city), 0, 100, Optional.empty());
    StringWriter counts = new StringWriter();
    new Explainer(connection).explain(regions, new RegionsTextPrinter(new PrintWriter(counts)));
    assertThat(counts.toString())
        .contains("Regions of the scan: 4")
        .contains("  skipped by indexes: 3")
        .contains("  searched by indexes: 1, in which 1 rows are read")
        .contains("  all rows are read: 0")
        .contains("Indexes in files: 4")
        .containsPattern("skipped: no wanted value .*: 1\\R")
        .containsPattern("skipped: its Bloom filter .*: 2\\R")
        .containsPattern("fanned,,.*: 1 rows are read");
  }

  private static ExplainQuestion filtered(TableName table, Filter filter) {
    return new ExplainQuestion(
        table, Optional.empty(), new Scan().setFilter(filter), 100, 100, Optional.empty());
  }

  @Test
  void scansGoThroughRegionsInTheirOrderUntilEnoughIsFound() throws IOException {
    assertThat(rows(scan(new Scan(), 100))).containsExactly("aaa", "ada", "bob", "kim", "zoe");
    assertThat(rows(scan(new Scan().setReversed(true), 100)))
        .containsExactly("zoe", "kim", "bob", "ada", "aaa");
    assertThat(rows(scan(new Scan(), 2))).containsExactly("aaa", "ada");
    assertThat(rows(scan(new Scan().withStartRow(Bytes.toBytes("b")), 2)))
        .containsExactly("bob", "kim");
    assertThat(
            rows(
                scan(
                    new Scan()
                        .setReversed(true)
                        .withStartRow(Bytes.toBytes("kim"))
                        .withStopRow(Bytes.toBytes("ada")),
                    100)))
        .containsExactly("kim", "bob");
    assertThat(text(scan(new Scan(), 2))).contains("The limit of rows is reached");
  }

  @Test
  void oneJsonObjectSaysTheSameToPrograms() throws IOException {
    JsonObject all = json(scan(new Scan(), 100));
    assertThat(all.get("table").getAsString()).isEqualTo("people");
    assertThat(all.getAsJsonArray("regions")).hasSize(3);
    JsonObject first = all.getAsJsonArray("regions").get(0).getAsJsonObject();
    assertThat(first.get("rowsScanned").getAsLong()).isEqualTo(3);
    JsonObject ada = first.getAsJsonArray("rows").get(1).getAsJsonObject();
    JsonObject counts = ada.getAsJsonObject("counts");
    assertThat(counts.get("RETURNED").getAsLong()).isEqualTo(1);
    assertThat(counts.get("COLUMN_DELETED").getAsLong()).isEqualTo(2);
    assertThat(counts.get("MARKER").getAsLong()).isEqualTo(1);
  }

  @Test
  void whatCannotBeExplainedIsRefused() throws IOException {
    ExplainQuestion unknown =
        new ExplainQuestion(
            TableName.valueOf("nobody"), Optional.empty(), new Scan(), 1, 1, Optional.empty());
    assertThatThrownBy(() -> text(unknown))
        .isInstanceOf(ExplainException.class)
        .hasMessage("table nobody does not exist");
    assertThatThrownBy(() -> text(scan(new Scan().addFamily(Bytes.toBytes("g")), 1)))
        .isInstanceOf(ExplainException.class)
        .hasMessage("table people has no family g, only f");
    try (Table table = connection.getTable(TABLE)) {
      Get get = new Get(Bytes.toBytes("ada"));
      get.setAttribute(ExplainOptions.ATTRIBUTE, new byte[0]);
      assertThatThrownBy(() -> table.get(get))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("explains scans");
      Scan scan = new Scan();
      scan.setAttribute(ExplainOptions.ATTRIBUTE, Bytes.toBytes("rows=many"));
      try (ResultScanner results = table.getScanner(scan)) {
        assertThatThrownBy(results::next)
            .isInstanceOf(DoNotRetryIOException.class)
            .hasMessageContaining("must be like rows=10,cells=1000");
      }
    }
  }

  private static void put(Table table, String row, byte[] column, long timestamp, String value)
      throws IOException {
    table.put(new Put(Bytes.toBytes(row)).addColumn(F, column, timestamp, Bytes.toBytes(value)));
  }

  private static ExplainQuestion row(String row) {
    byte[] bytes = Bytes.toBytes(row);
    return new ExplainQuestion(
        TABLE,
        Optional.of(bytes),
        new Scan().withStartRow(bytes, true).withStopRow(bytes, true),
        Integer.MAX_VALUE,
        100,
        Optional.empty());
  }

  private static ExplainQuestion scan(Scan scan, int limit) {
    return new ExplainQuestion(TABLE, Optional.empty(), scan, limit, 100, Optional.empty());
  }

  private static String text(ExplainQuestion question) throws IOException {
    StringWriter text = new StringWriter();
    new Explainer(connection)
        .explain(question, new ExplainTextPrinter(new PrintWriter(text, true)));
    return text.toString();
  }

  private static JsonObject json(ExplainQuestion question) throws IOException {
    StringWriter text = new StringWriter();
    new Explainer(connection)
        .explain(question, new ExplainJsonPrinter(new PrintWriter(text, true)));
    return JsonParser.parseString(text.toString()).getAsJsonObject();
  }

  private static List<String> rows(ExplainQuestion question) throws IOException {
    List<String> rows = new ArrayList<>();
    for (JsonElement region : json(question).getAsJsonArray("regions")) {
      for (JsonElement row : region.getAsJsonObject().getAsJsonArray("rows")) {
        rows.add(row.getAsJsonObject().get("row").getAsString());
      }
    }
    return rows;
  }

  private static List<String> lines(String text, String start) {
    return text.lines().filter(line -> line.startsWith(start)).toList();
  }
}
