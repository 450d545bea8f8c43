package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;

import dev.cairn.interop.waiting.Eventually;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One table of one test: HBase's {@link Table}, and short ways to fill it and to read it as text,
 * where a cell is {@code row/family:qualifier@timestamp=value}, or {@code
 * row/family:qualifier@timestamp Type} if it is a delete marker. One thread.
 */
public final class TestTable implements AutoCloseable {
  private final Connection connection;
  private final Admin admin;
  private final Table table;

  TestTable(Connection connection, Admin admin, TableName name) throws IOException {
    this.connection = connection;
    this.admin = admin;
    this.table = connection.getTable(name);
  }

  /** Returns HBase's own view of the table. */
  public Table table() {
    return table;
  }

  /** Returns the table's name. */
  public TableName name() {
    return table.getName();
  }

  /** Returns the connection that the table is used through. */
  public Connection connection() {
    return connection;
  }

  /** Returns an admin. */
  public Admin admin() {
    return admin;
  }

  /** Puts a value at the server's time; the column is {@code family:qualifier}. */
  public void put(String row, String column, String value) throws IOException {
    table.put(new Put(toBytes(row)).addColumn(family(column), qualifier(column), toBytes(value)));
  }

  /** Puts a value at a time of one's own. */
  public void put(String row, String column, long timestamp, String value) throws IOException {
    table.put(
        new Put(toBytes(row))
            .addColumn(family(column), qualifier(column), timestamp, toBytes(value)));
  }

  /** Applies mutations one after another. */
  public void apply(Mutation... mutations) throws IOException, InterruptedException {
    for (Mutation mutation : mutations) {
      table.batch(List.<Row>of(mutation), new Object[1]);
    }
  }

  /** Returns the newest value of a column, or null if there is none. */
  public String value(String row, String column) throws IOException {
    return text(table.get(new Get(toBytes(row))).getValue(family(column), qualifier(column)));
  }

  /** Returns the cells of a row. */
  public List<String> get(Get get) throws IOException {
    return cells(table.get(get));
  }

  /** Returns the cells of a scan. */
  public List<String> scan(Scan scan) throws IOException {
    List<String> cells = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        cells.addAll(cells(result));
      }
    }
    return cells;
  }

  /** Returns the rows of a scan, one for each result. */
  public List<String> rows(Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        rows.add(Bytes.toStringBinary(result.getRow()));
      }
    }
    return rows;
  }

  /** Returns everything that is stored, markers and what they hide too. */
  public List<String> raw() throws IOException {
    return scan(new Scan().setRaw(true).readAllVersions());
  }

  /** Writes what is in memory to files. */
  public void flush() throws IOException {
    admin.flush(name());
  }

  /** Rewrites all files, and returns when it is done. */
  public void majorCompact() throws IOException {
    admin.majorCompact(name());
    Eventually.holds(
        () -> admin.getCompactionState(name()) == CompactionState.NONE, "the compaction has ended");
  }

  /** Returns the texts of a result's cells. */
  public static List<String> cells(Result result) {
    List<String> cells = new ArrayList<>();
    for (Cell cell : result.isEmpty() ? new Cell[0] : result.rawCells()) {
      cells.add(cell(cell));
    }
    return cells;
  }

  /** Returns a cell's text. */
  public static String cell(Cell cell) {
    return Bytes.toStringBinary(CellUtil.cloneRow(cell))
        + "/"
        + Bytes.toStringBinary(CellUtil.cloneFamily(cell))
        + ":"
        + Bytes.toStringBinary(CellUtil.cloneQualifier(cell))
        + "@"
        + cell.getTimestamp()
        + (cell.getType() == Cell.Type.Put
            ? "=" + Bytes.toStringBinary(CellUtil.cloneValue(cell))
            : " " + cell.getType());
  }

  /** Returns the family of {@code family:qualifier}. */
  public static byte[] family(String column) {
    return toBytes(column.substring(0, column.indexOf(':')));
  }

  /** Returns the qualifier of {@code family:qualifier}. */
  public static byte[] qualifier(String column) {
    return toBytes(column.substring(column.indexOf(':') + 1));
  }

  /** Returns bytes as text, and null for null. */
  public static String text(byte[] bytes) {
    return bytes == null ? null : Bytes.toString(bytes);
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
