package dev.cairn.studies.names;

import dev.cairn.keys.KeyPattern;
import dev.cairn.keys.client.UidKind;
import dev.cairn.keys.client.UidTable;
import dev.cairn.studies.Design;
import dev.cairn.studies.FactWriter;
import dev.cairn.studies.MutatorWriter;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.Numbers;
import dev.cairn.studies.Scans;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Numbers in the keys, which a table gives to names. The pages of a section are found in it, too.
 *
 * @param remembers whether questions use the numbers that the program has seen, or ask the table
 */
record NumberedNames(String name, ViewTable views, Numbers numbers, boolean remembers)
    implements Design<View, Pages> {
  private static final TableName NUMBERS = TableName.valueOf("view-numbers");
  private static final byte[] NAME_FAMILY = Bytes.toBytes("id");
  private static final int WIDTH = 4;

  static NumberedNames of(String name, boolean remembers, DataBlockEncoding encoding) {
    return new NumberedNames(
        name,
        ViewTable.of("page uid(4), time timestamp", encoding),
        new Numbers(NUMBERS),
        remembers);
  }

  @Override
  public String layout() {
    return views.format() + ": f:v; and a table of numbers";
  }

  /** Designs with the same tables differ in their answers only. */
  @Override
  public Object storage() {
    return views;
  }

  @Override
  public List<NewTable> tables(long facts) {
    return List.of(views.table(), numbers.table());
  }

  @Override
  public FactWriter<View> writer(Connection connection) throws IOException {
    UidKind pages = pages(numbers.of(connection));
    return new MutatorWriter<>(
        connection, ViewTable.NAME, view -> views.put(pages.assign(view.page()), view));
  }

  private static UidKind pages(UidTable table) {
    return table.kind("pages", WIDTH);
  }

  @Override
  public List<View> answer(Connection connection, Pages asked) throws IOException {
    UidKind pages = pages(remembers ? numbers.of(connection) : new UidTable(connection, NUMBERS));
    Map<Long, String> names = new HashMap<>();
    for (String page : pages(connection, asked)) {
      OptionalLong number = pages.find(page);
      number.ifPresent(known -> names.put(known, page));
    }
    if (names.isEmpty()) {
      return List.of();
    }
    KeyPattern pattern = views.format().pattern().in("page", names.keySet().toArray());
    return asked.sorted(
        Scans.list(
            connection,
            ViewTable.NAME,
            pattern,
            row -> views.view(names.get((Long) views.page(row)), row))
            .stream());
  }

  /** Returns the names of a section from the table of numbers, whose rows are names. */
  private static Collection<String> pages(Connection connection, Pages asked) throws IOException {
    return asked.section().isEmpty()
        ? asked.names()
        : Scans.list(
            connection,
            NUMBERS,
            new Scan()
                .addFamily(NAME_FAMILY)
                .setStartStopRowForPrefixScan(Bytes.toBytes(asked.section().orElseThrow())),
            row -> Bytes.toString(row.getRow()));
  }
}
