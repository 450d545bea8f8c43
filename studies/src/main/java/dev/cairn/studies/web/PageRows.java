package dev.cairn.studies.web;

import dev.cairn.keys.KeyFormat;
import dev.cairn.keys.KeyRange;
import dev.cairn.keys.KeyValues;
import dev.cairn.studies.Design;
import dev.cairn.studies.FactWriter;
import dev.cairn.studies.MutatorWriter;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.Scans;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** A row for each page. */
record PageRows(String name, Order order) implements Design<Page, Wanted> {
  /** How keys begin. */
  enum Order {
    /** With the domain. */
    AS_IS("domain string, path string"),
    /** With the domain, the last label first: a domain and those below it are neighbours. */
    REVERSED("domain reversed_domain, path string"),
    /** With a hash of the domain. */
    HASHED("hash(murmur3, 2) of domain, domain string, path string"),
    /** With a hash of the last two labels: the domains of a site stay together. */
    SITE_HASHED("site hash(murmur3, 2), domain reversed_domain, path string");

    private final KeyFormat format;

    Order(String format) {
      this.format = KeyFormat.parse(format);
    }
  }

  private static final TableName TABLE = TableName.valueOf("pages");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] TITLE = Bytes.toBytes("t");
  private static final KeyFormat REVERSED_DOMAIN = KeyFormat.parse("domain reversed_domain");
  private static final KeyFormat SITE = KeyFormat.parse("site hash(murmur3, 2)");
  private static final int REGIONS = 4;
  private static final int SAMPLE = 1_000;
  private static final int HASH_BYTES = 2;

  @Override
  public String layout() {
    return order.format + ": f:t";
  }

  @Override
  public List<NewTable> tables(long facts) {
    var descriptor =
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .setValue(KeyFormat.TABLE_ATTRIBUTE, order.format.toString())
            .build();
    byte[][] splits =
        order == Order.HASHED || order == Order.SITE_HASHED
            ? order.format.splits(REGIONS)
            : order.format.splits(REGIONS, Page.first(SAMPLE).map(this::key).toList());
    return List.of(new NewTable(descriptor, List.of(splits)));
  }

  private byte[] key(Page page) {
    return key(page.domain(), page.path());
  }

  private byte[] key(String domain, String path) {
    return order == Order.SITE_HASHED
        ? order.format.encode(Page.siteOf(domain), domain, path)
        : order.format.encode(domain, path);
  }

  @Override
  public FactWriter<Page> writer(Connection connection) throws IOException {
    return new MutatorWriter<>(
        connection,
        TABLE,
        page -> new Put(key(page)).addColumn(FAMILY, TITLE, Bytes.toBytes(page.title())));
  }

  @Override
  public List<Page> answer(Connection connection, Wanted asked) throws IOException {
    if (asked.path().isPresent()) {
      try (Table table = connection.getTable(TABLE)) {
        Result row = table.get(new Get(key(asked.domain(), asked.path().orElseThrow())));
        return row.isEmpty() ? List.of() : List.of(page(row));
      }
    }
    List<Page> pages = new ArrayList<>();
    for (Scan scan : scans(asked)) {
      pages.addAll(Scans.list(connection, TABLE, scan, this::page));
    }
    return asked.sorted(pages.stream());
  }

  /** Returns the scans of a domain and those below it. */
  private List<Scan> scans(Wanted asked) {
    if (order == Order.REVERSED) {
      return neighbours(new byte[0], asked.domain());
    }
    if (order == Order.SITE_HASHED && !asked.isTop()) {
      return neighbours(SITE.encode(Page.siteOf(asked.domain())), asked.domain());
    }
    return List.of(new Scan().setFilter(filter(asked.domain())));
  }

  /**
   * Returns the scans of a domain, whose name ends with 00, and of those below it, whose names go
   * on with a dot. Between the two are names that go on with a hyphen.
   */
  private static List<Scan> neighbours(byte[] hash, String domain) {
    byte[] reversed = Bytes.add(hash, REVERSED_DOMAIN.encode(domain));
    return List.of(scan(reversed, (byte) 0), scan(reversed, (byte) '.'));
  }

  private static Scan scan(byte[] reversed, byte next) {
    byte[] start = Bytes.add(reversed, new byte[] {next});
    byte[] stop = Bytes.add(reversed, new byte[] {(byte) (next + 1)});
    return Scans.of(new KeyRange(start, stop));
  }

  /** Returns a filter of all rows. */
  private RowFilter filter(String domain) {
    String name =
        switch (order) {
          case AS_IS -> "^([^\\x00]*\\.)?" + Pattern.quote(domain) + "\\x00";
          case HASHED -> "^.{" + HASH_BYTES + "}([^\\x00]*\\.)?" + Pattern.quote(domain) + "\\x00";
          case REVERSED, SITE_HASHED ->
              "^.{" + HASH_BYTES + "}" + Pattern.quote(reversed(domain)) + "[.\\x00]";
        };
    RegexStringComparator names = new RegexStringComparator(name, Pattern.DOTALL);
    // Each byte of a hash is a character.
    names.setCharset(StandardCharsets.ISO_8859_1);
    return new RowFilter(CompareOperator.EQUAL, names);
  }

  private static String reversed(String domain) {
    return Bytes.toString(REVERSED_DOMAIN.encode(domain));
  }

  private Page page(Result row) {
    KeyValues key = order.format.decode(row.getRow());
    return new Page(
        key.getString("domain"),
        key.getString("path"),
        Bytes.toString(row.getValue(FAMILY, TITLE)));
  }
}
