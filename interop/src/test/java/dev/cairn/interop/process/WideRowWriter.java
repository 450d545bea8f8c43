package dev.cairn.interop.process;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Puts one value into all columns of a row, over two families; so a row with two values is torn.
 */
final class WideRowWriter extends Writer {
  static final List<String> COLUMNS =
      List.of("a:1", "a:2", "a:3", "a:4", "b:1", "b:2", "b:3", "b:4");
  private static final int BATCH = 12;

  /** How the puts travel. */
  enum Way {
    /** {@code Table.put}. */
    SINGLE,
    /** {@code Table.put} of a list. */
    LIST,
    /** {@code Table.batch}, which answers for each row. */
    BATCH,
    /** A {@code BufferedMutator}, which acknowledges by {@code flush}. */
    BUFFERED,
    /** {@code RowMutations}: the columns in several puts, with a delete between. */
    MUTATIONS
  }

  private final Way way;

  WideRowWriter(Way way, SplittableRandom random) {
    super("wide-" + way, random);
    this.way = way;
  }

  @Override
  void step(Connection connection, Table table) throws IOException {
    Set<String> rows = new LinkedHashSet<>();
    while (rows.size() < (way == Way.SINGLE || way == Way.MUTATIONS ? 1 : BATCH)) {
      rows.add(anyRow());
    }
    rows.removeIf(row -> !ledger.isCertain(row));
    if (rows.isEmpty()) {
      return;
    }
    List<Put> puts = rows.stream().map(this::attempt).toList();
    switch (way) {
      case SINGLE -> table.put(puts.get(0));
      case LIST -> table.put(puts);
      case BATCH -> batch(table, puts);
      case BUFFERED -> buffered(connection, table, puts);
      case MUTATIONS -> mutate(table, puts.get(0));
      default -> throw new AssertionError(way);
    }
    if (way != Way.BATCH) {
      rows.forEach(ledger::acknowledged);
    }
    if (random.nextInt(8) == 0) {
      readBack(table, rows.iterator().next());
    }
  }

  private Put attempt(String row) {
    String value = newValue();
    Put put = new Put(bytes(row));
    SortedMap<String, String> after = new TreeMap<>();
    for (String column : COLUMNS) {
      add(put, column, bytes(value));
      after.put(column, value);
    }
    ledger.attempt(row, after);
    return put;
  }

  private void batch(Table table, List<Put> puts) throws IOException {
    Object[] results = new Object[puts.size()];
    try {
      table.batch(puts, results);
    } catch (InterruptedException e) {
      throw new IOException(e);
    } finally {
      for (int i = 0; i < results.length; i++) {
        if (results[i] instanceof Result) {
          ledger.acknowledged(Bytes.toString(puts.get(i).getRow()));
        }
      }
    }
  }

  private static void buffered(Connection connection, Table table, List<Put> puts)
      throws IOException {
    try (BufferedMutator mutator =
        connection.getBufferedMutator(new BufferedMutatorParams(table.getName()))) {
      mutator.mutate(puts);
      mutator.flush();
    }
  }

  /** One family, the removal of what never was, and the other family: in one step. */
  private static void mutate(Table table, Put put) throws IOException {
    byte[] row = put.getRow();
    Delete delete = new Delete(row).addColumns(bytes("a"), bytes("none"));
    RowMutations mutations = new RowMutations(row, 3);
    mutations.add(List.of(part(put, "a"), delete, part(put, "b")));
    table.mutateRow(mutations);
  }

  private static Put part(Put put, String family) throws IOException {
    Put part = new Put(put.getRow());
    for (Cell cell : put.getFamilyCellMap().get(bytes(family))) {
      part.add(cell);
    }
    return part;
  }
}
