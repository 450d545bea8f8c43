package dev.cairn.studies.names;

import dev.cairn.keys.KeyFormat;
import dev.cairn.keys.KeyPattern;
import dev.cairn.keys.hash.HashValue;
import dev.cairn.studies.Design;
import dev.cairn.studies.FactWriter;
import dev.cairn.studies.MutatorWriter;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.Scans;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Hashes in the keys, and a table of all names, which is read to find the pages of a section. Each
 * writer puts each name once. Writers need not agree on anything, as all compute the same hash.
 *
 * @param views whose keys have a hash that is wide enough to be of one page alone
 */
record HashedNames(String name, ViewTable views) implements Design<View, Pages> {
  private static final TableName PAGES = TableName.valueOf("view-pages");
  private static final byte[] EMPTY = {};

  static HashedNames of(String name, String hash, DataBlockEncoding encoding) {
    return new HashedNames(name, ViewTable.of("page " + hash + ", time timestamp", encoding));
  }

  @Override
  public String layout() {
    return views.format() + ": f:v; and a row for each page";
  }

  @Override
  public List<NewTable> tables(long facts) {
    NewTable pages =
        new NewTable(
            TableDescriptorBuilder.newBuilder(PAGES)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(ViewTable.FAMILY))
                .setValue(KeyFormat.TABLE_ATTRIBUTE, "page string")
                .build());
    return List.of(views.table(), pages);
  }

  @Override
  public FactWriter<View> writer(Connection connection) throws IOException {
    MutatorWriter<View> rows =
        new MutatorWriter<>(connection, ViewTable.NAME, view -> views.put(view.page(), view));
    MutatorWriter<String> pages =
        new MutatorWriter<>(
            connection,
            PAGES,
            page -> new Put(Bytes.toBytes(page)).addColumn(ViewTable.FAMILY, EMPTY, EMPTY));
    Set<String> known = new HashSet<>();
    return new FactWriter<>() {
      @Override
      public void write(View view) throws IOException {
        if (known.add(view.page())) {
          pages.write(view.page());
        }
        rows.write(view);
      }

      @Override
      public void close() throws IOException {
        try (pages) {
          rows.close();
        }
      }
    };
  }

  @Override
  public List<View> answer(Connection connection, Pages asked) throws IOException {
    Map<HashValue, String> names = new HashMap<>();
    for (String page : pages(connection, asked)) {
      names.put(hash(page), page);
    }
    if (names.isEmpty()) {
      return List.of();
    }
    KeyPattern pattern = views.format().pattern().in("page", names.keySet().toArray());
    return asked.sorted(
        Scans.list(
            connection, ViewTable.NAME, pattern, row -> views.view(names.get(views.page(row)), row))
            .stream());
  }

  private HashValue hash(String page) {
    return views.format().decode(views.format().encode(page, View.BEGIN)).getHash("page");
  }

  private static Collection<String> pages(Connection connection, Pages asked) throws IOException {
    return asked.section().isEmpty()
        ? asked.names()
        : Scans.list(
            connection,
            PAGES,
            new Scan().setStartStopRowForPrefixScan(Bytes.toBytes(asked.section().orElseThrow())),
            row -> Bytes.toString(row.getRow()));
  }
}
