package dev.cairn.interop.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.probe.IndexMark;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.scan.IndexHint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Asks a scan with each hint on the use of indexes. */
public final class IndexedAnswers {
  private IndexedAnswers() {}

  /** Returns the rows of a scan, which must be the same with each hint. */
  public static List<String> same(Table table, Scan scan) throws IOException {
    List<String> without = without(table, scan);
    for (IndexHint hint : List.of(IndexHint.AUTO, IndexHint.ALWAYS)) {
      assertThat(rows(table, scan, hint)).as("%s with index %s", scan, hint).isEqualTo(without);
    }
    return without;
  }

  /** As {@link #same}; some region of this process must use an index. */
  public static List<String> byIndex(Table table, Scan scan) throws IOException {
    Marks.Watch<IndexMark> marks = Marks.watch(IndexMark.class);
    List<String> rows = same(table, scan);
    assertThat(marks.count(IndexMark.TAKEN)).as("scans by an index: %s", scan).isPositive();
    return rows;
  }

  /** Returns the rows of a scan that uses no index. */
  public static List<String> without(Table table, Scan scan) throws IOException {
    return rows(table, scan, IndexHint.NEVER);
  }

  private static List<String> rows(Table table, Scan scan, IndexHint hint) throws IOException {
    List<String> rows = new ArrayList<>();
    Scan hinted = new Scan(scan).setAttribute(IndexHint.ATTRIBUTE, Bytes.toBytes(hint.name()));
    try (ResultScanner scanner = table.getScanner(hinted)) {
      for (Result result : scanner) {
        rows.add(text(result));
      }
    }
    return rows;
  }

  private static String text(Result row) {
    List<String> cells = new ArrayList<>();
    for (Cell cell : row.rawCells()) {
      cells.add(cell + "=" + Bytes.toStringBinary(CellUtil.cloneValue(cell)));
    }
    return cells.toString();
  }
}
