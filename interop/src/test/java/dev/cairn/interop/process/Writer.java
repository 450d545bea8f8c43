package dev.cairn.interop.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** One thread's kind of writing, into rows of its own. */
abstract class Writer {
  private static final int ROWS = 48;
  private static final int PADDING_MAX = 160;

  final SplittableRandom random;
  final Ledger ledger = new Ledger();
  private final String name;
  private long count;

  Writer(String name, SplittableRandom random) {
    this.name = name;
    this.random = random;
  }

  /** Writes something. An exception tells that it is not known whether that is written. */
  abstract void step(Connection connection, Table table) throws IOException;

  /** Compares what was written with what the table holds; see {@link Ledger#compare}. */
  List<String> compare(Map<String, SortedMap<String, String>> found) {
    return ledger.compare(found);
  }

  /** Reads {@code row} and fails if it is not as this writer was told. */
  final void readBack(Table table, String row) throws IOException {
    SortedMap<String, String> found = contents(table.get(new Get(bytes(row))));
    if (!found.equals(ledger.contents(row))) {
      throw new AssertionError(
          "row %s reads %s after %s was acknowledged".formatted(row, found, ledger.contents(row)));
    }
  }

  /** Returns one of this writer's rows, which spread over all regions. */
  final String anyRow() {
    int row = random.nextInt(ROWS);
    return "%x-%s-%02d".formatted(row % 16, name, row);
  }

  /** Returns a value that was never written before. */
  final String newValue() {
    return name + "#" + ++count + "x".repeat(random.nextInt(PADDING_MAX));
  }

  static SortedMap<String, String> contents(Result result) {
    SortedMap<String, String> contents = new TreeMap<>();
    if (!result.isEmpty()) {
      for (Cell cell : result.rawCells()) {
        String column =
            Bytes.toString(CellUtil.cloneFamily(cell))
                + ":"
                + Bytes.toString(CellUtil.cloneQualifier(cell));
        byte[] value = CellUtil.cloneValue(cell);
        contents.put(
            column, column.startsWith("n:") ? "" + Bytes.toLong(value) : Bytes.toString(value));
      }
    }
    return contents;
  }

  /** Adds {@code column}, a family and a qualifier with a colon between, to {@code put}. */
  static Put add(Put put, String column, byte[] value) {
    return put.addColumn(family(column), qualifier(column), value);
  }

  static byte[] family(String column) {
    return bytes(column.substring(0, column.indexOf(':')));
  }

  static byte[] qualifier(String column) {
    return bytes(column.substring(column.indexOf(':') + 1));
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return name;
  }
}
