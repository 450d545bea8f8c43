package dev.cairn.interop.process;

import java.io.IOException;
import java.util.SortedMap;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/** Puts and deletes in all four kinds, with timestamps of its own that only grow. */
final class DeletingWriter extends Writer {
  private static final int QUALIFIERS = 6;

  private long timestamp;

  DeletingWriter(SplittableRandom random) {
    super("deleting", random);
  }

  @Override
  void step(Connection connection, Table table) throws IOException {
    String row = anyRow();
    if (!ledger.isCertain(row)) {
      return;
    }
    SortedMap<String, String> contents = ledger.contents(row);
    timestamp++;
    if (contents.isEmpty() || random.nextInt(3) > 0) {
      Put put = new Put(bytes(row), timestamp);
      for (int i = random.nextInt(QUALIFIERS) + 1; i > 0; i--) {
        // One version only, so that the fourth kind leaves nothing behind.
        String column = (random.nextBoolean() ? "a:" : "b:") + timestamp + "-" + i;
        String value = newValue();
        contents.put(column, value);
        add(put, column, bytes(value));
      }
      ledger.attempt(row, contents);
      table.put(put);
    } else {
      Delete delete = delete(row, contents);
      ledger.attempt(row, contents);
      table.delete(delete);
    }
    ledger.acknowledged(row);
    if (random.nextInt(4) == 0) {
      readBack(table, row);
    }
  }

  private Delete delete(String row, SortedMap<String, String> contents) {
    Delete delete = new Delete(bytes(row), timestamp);
    String column = contents.firstKey();
    switch (random.nextInt(4)) {
      case 0 -> contents.clear();
      case 1 -> {
        String family = column.substring(0, 2);
        delete.addFamily(family(column), timestamp);
        contents.keySet().removeIf(key -> key.startsWith(family));
      }
      case 2 -> {
        delete.addColumns(family(column), qualifier(column), timestamp);
        contents.remove(column);
      }
      default -> {
        long written = Long.parseLong(column.substring(2, column.indexOf('-')));
        delete.addColumn(family(column), qualifier(column), written);
        contents.remove(column);
      }
    }
    return delete;
  }
}
