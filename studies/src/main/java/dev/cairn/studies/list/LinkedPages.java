package dev.cairn.studies.list;

import dev.cairn.keys.KeyFormat;
import dev.cairn.studies.NewTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A list in pages of 30 values of fixed width, each with the number of the next page. Page 0 has
 * the latest values. When it is full, it is copied to a page with a new number, and then written
 * again with the new value and that number. A program that dies between both leaves a page to which
 * nothing points. No number is used twice, so that a late copy overwrites nothing.
 *
 * <p>Each change reads a page and writes it again if it has not changed meanwhile.
 */
record LinkedPages() implements ListDesign {
  private static final TableName TABLE = TableName.valueOf("lists_pages");
  private static final KeyFormat KEYS = KeyFormat.parse("user string, page uint");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] PAGE = Bytes.toBytes("p");
  private static final byte[] LAST = Bytes.toBytes("last");

  @Override
  public String name() {
    return "linked pages";
  }

  @Override
  public String layout() {
    return KEYS + ": f:p, the next page and 30 values of 8 bytes; f:last in page 0";
  }

  @Override
  public List<NewTable> tables(long facts) {
    return List.of(NewTable.of(TABLE, FAMILY, KEYS));
  }

  @Override
  public void change(Connection connection, Change change) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      boolean done = false;
      while (!done) {
        done =
            change.isRemoval()
                ? remove(table, change.user(), change.value())
                : add(table, change.user(), change.value());
      }
    }
  }

  /** Adds a value. Returns false if another program changed the page. */
  private static boolean add(Table table, String user, long value) throws IOException {
    byte[] row = KEYS.encode(user, 0);
    byte[] cell = cell(table, row);
    if (cell == null) {
      return replace(table, row, null, new Page(0, List.of(value)));
    }
    Page first = Page.of(cell);
    if (!first.isFull()) {
      return replace(table, row, cell, first.with(value));
    }
    int number = Math.toIntExact(table.incrementColumnValue(row, FAMILY, LAST, 1));
    table.put(put(KEYS.encode(user, number), first));
    return replace(table, row, cell, new Page(number, List.of(value)));
  }

  /** Removes a value if it is there. Returns false if another program changed its page. */
  private static boolean remove(Table table, String user, long value) throws IOException {
    int number = 0;
    do {
      byte[] row = KEYS.encode(user, number);
      byte[] cell = cell(table, row);
      if (cell == null) {
        return true;
      }
      Page page = Page.of(cell);
      if (page.values().contains(value)) {
        return replace(table, row, cell, page.without(value));
      }
      number = page.next();
    } while (number > 0);
    return true;
  }

  private static byte[] cell(Table table, byte[] row) throws IOException {
    return table.get(new Get(row).addColumn(FAMILY, PAGE)).getValue(FAMILY, PAGE);
  }

  private static Put put(byte[] row, Page page) {
    return new Put(row).addColumn(FAMILY, PAGE, page.bytes());
  }

  private static boolean replace(Table table, byte[] row, byte[] before, Page after)
      throws IOException {
    CheckAndMutate.Builder check = CheckAndMutate.newBuilder(row);
    check = before == null ? check.ifNotExists(FAMILY, PAGE) : check.ifEquals(FAMILY, PAGE, before);
    return table.checkAndMutate(check.build(put(row, after))).isSuccess();
  }

  @Override
  public List<Long> latest(Connection connection, String user, int limit) throws IOException {
    List<Long> values = new ArrayList<>();
    try (Table table = connection.getTable(TABLE)) {
      int number = 0;
      do {
        byte[] cell = cell(table, KEYS.encode(user, number));
        Page page = cell == null ? new Page(0, List.of()) : Page.of(cell);
        values.addAll(page.latestFirst());
        number = page.next();
      } while (number > 0 && values.size() < limit);
    }
    return values.subList(0, Math.min(limit, values.size()));
  }

  @Override
  public boolean contains(Connection connection, String user, long value) throws IOException {
    return latest(connection, user, Integer.MAX_VALUE).contains(value);
  }
}
