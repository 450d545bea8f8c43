package dev.cairn.studies.names;

import dev.cairn.keys.KeyFormat;
import dev.cairn.studies.Design;
import dev.cairn.studies.FactWriter;
import dev.cairn.studies.MutatorWriter;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.Scans;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Hashes so short that pages may share one: the name is the qualifier, so that views of two pages
 * are two cells, also in one row.
 */
record CheckedHashes(String name, ViewTable views) implements Design<View, Pages> {
  static CheckedHashes of(String name, String hash) {
    return new CheckedHashes(
        name, ViewTable.of("page " + hash + ", time timestamp", DataBlockEncoding.NONE));
  }

  @Override
  public String layout() {
    return views.format() + ": f:PAGE";
  }

  @Override
  public List<NewTable> tables(long facts) {
    return List.of(views.table());
  }

  @Override
  public FactWriter<View> writer(Connection connection) throws IOException {
    return new MutatorWriter<>(
        connection,
        ViewTable.NAME,
        view ->
            new Put(views.format().encode(view.page(), view.time()))
                .addColumn(
                    ViewTable.FAMILY, Bytes.toBytes(view.page()), Bytes.toBytes(view.visitor())));
  }

  @Override
  public List<View> answer(Connection connection, Pages asked) throws IOException {
    KeyFormat format = views.format();
    List<List<View>> rows =
        asked.section().isPresent()
            ? Scans.list(
                connection,
                ViewTable.NAME,
                new Scan()
                    .setFilter(
                        new QualifierFilter(
                            CompareOperator.EQUAL,
                            new BinaryPrefixComparator(
                                Bytes.toBytes(asked.section().orElseThrow())))),
                row -> views(row))
            : Scans.list(
                connection,
                ViewTable.NAME,
                format.pattern().in("page", asked.names().toArray()),
                row -> views(row));
    return asked.sorted(rows.stream().flatMap(List::stream));
  }

  private List<View> views(Result row) {
    Instant time = views.format().decode(row.getRow()).getInstant("time");
    List<View> found = new ArrayList<>();
    for (Cell cell : row.rawCells()) {
      String page = Bytes.toString(CellUtil.cloneQualifier(cell));
      found.add(new View(page, time, Bytes.toLong(CellUtil.cloneValue(cell))));
    }
    return found;
  }
}
