package dev.cairn.studies.tsdb;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * Joins the cells of each row into one, as OpenTSDB's compaction does: reads them, writes one cell
 * of all points, and deletes the others. OpenTSDB writes and deletes in two steps; here a row's
 * change is one atomic mutation. The job may be stopped at any point and run again.
 *
 * <p>The new cell has the timestamp of the newest one that was read, and the deletes end at the
 * timestamps of the cells that were read. So a point that is written meanwhile stays, and wins.
 */
final class JoinJob {
  private static final int ROWS_AT_ONCE = 100;

  private final Connection connection;
  private final TableName table;
  private final byte[] family;

  JoinJob(Connection connection, TableName table, byte[] family) {
    this.connection = connection;
    this.table = table;
    this.family = family;
  }

  /**
   * Runs the job.
   *
   * @param rows tells whether the hour of a row is over
   * @return how many rows were changed
   */
  int run(Predicate<byte[]> rows) throws IOException {
    int changed = 0;
    List<Row> changes = new ArrayList<>();
    try (Table opened = connection.getTable(table);
        ResultScanner results =
            opened.getScanner(new Scan().addFamily(family).setCaching(ROWS_AT_ONCE))) {
      for (Result row : results) {
        if (row.size() > 1 && rows.test(row.getRow())) {
          changes.add(joined(row));
          changed++;
        }
        if (changes.size() == ROWS_AT_ONCE) {
          apply(opened, changes);
        }
      }
      apply(opened, changes);
    }
    return changed;
  }

  private static void apply(Table table, List<Row> changes) throws IOException {
    try {
      table.batch(changes, new Object[changes.size()]);
      changes.clear();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while cells are joined");
    }
  }

  /** Returns the change of a row. */
  private RowMutations joined(Result row) throws IOException {
    List<Cell> cells = row.listCells();
    TreeMap<Integer, Long> points = HourCells.points(cells);
    long newest = cells.stream().mapToLong(cell -> cell.getTimestamp()).max().orElseThrow();
    byte[] qualifier = HourCells.joinedQualifier(points);
    Put put =
        new Put(row.getRow()).addColumn(family, qualifier, newest, HourCells.joinedValue(points));
    Delete delete = new Delete(row.getRow());
    for (Cell cell : cells) {
      byte[] old = CellUtil.cloneQualifier(cell);
      if (!Arrays.equals(old, qualifier)) {
        delete.addColumns(family, old, cell.getTimestamp());
      }
    }
    RowMutations change = new RowMutations(row.getRow());
    change.add(List.of(put, delete));
    return change;
  }
}
