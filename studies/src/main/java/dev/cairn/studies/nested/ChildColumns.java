package dev.cairn.studies.nested;

import dev.cairn.keys.KeyFormat;
import dev.cairn.keys.KeyRange;
import dev.cairn.keys.KeyValues;
import dev.cairn.studies.NewTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A row for the account, with columns for each entry, whose names are composed of the number of the
 * entry and the name of the field. A booking changes one row, so that entry and balance are seen
 * together or not at all.
 */
record ChildColumns() implements AccountDesign {
  private static final TableName TABLE = TableName.valueOf("accounts_columns");
  private static final KeyFormat KEYS = KeyFormat.parse("account uint");
  private static final KeyFormat QUALIFIERS = KeyFormat.parse("entry uint desc, field string");
  private static final byte[] ENTRIES = Bytes.toBytes("e");

  /** The fields of an entry, in the order of their names. */
  private static final String CENTS = "cents";

  private static final String TEXT = "text";
  private static final int FIELDS = 2;

  @Override
  public String name() {
    return "columns for each entry";
  }

  @Override
  public String layout() {
    return KEYS + ": " + Columns.OWNER_AND_BALANCE + ", e:(" + QUALIFIERS + ")";
  }

  @Override
  public List<NewTable> tables(long facts) {
    return List.of(NewTable.of(TABLE, KEYS, Columns.FAMILY, ENTRIES));
  }

  @Override
  public void book(Connection connection, Booking booking) throws IOException {
    byte[] row = KEYS.encode(booking.account());
    Entry entry = booking.entry();
    Put put =
        Columns.addOwner(new Put(row), booking)
            .addColumn(ENTRIES, column(entry.number(), CENTS), Bytes.toBytes(entry.cents()))
            .addColumn(ENTRIES, column(entry.number(), TEXT), Bytes.toBytes(entry.text()));
    List<Mutation> both = List.of(put, Columns.addToBalance(row, booking));
    try (Table table = connection.getTable(TABLE)) {
      table.mutateRow(RowMutations.of(both));
    }
  }

  private static byte[] column(int entry, String field) {
    return QUALIFIERS.encode(entry, field);
  }

  private static Result get(Connection connection, Get get) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      return table.get(get);
    }
  }

  @Override
  public Account account(Connection connection, long account) throws IOException {
    Result row = get(connection, new Get(KEYS.encode(account)));
    return new Account(account, Columns.owner(row), Columns.balance(row), entries(row));
  }

  /** Returns the entries whose columns a row has. */
  private static List<Entry> entries(Result row) {
    List<Entry> entries = new ArrayList<>();
    long cents = 0;
    for (Cell cell : row.rawCells()) {
      if (CellUtil.matchingFamily(cell, ENTRIES)) {
        KeyValues qualifier = QUALIFIERS.decode(CellUtil.cloneQualifier(cell));
        byte[] value = CellUtil.cloneValue(cell);
        if (qualifier.getString("field").equals(CENTS)) {
          cents = Bytes.toLong(value);
        } else {
          entries.add(new Entry(qualifier.getInt("entry"), cents, Bytes.toString(value)));
        }
      }
    }
    return entries;
  }

  @Override
  public long balance(Connection connection, long account) throws IOException {
    Get get = new Get(KEYS.encode(account)).addFamily(Columns.FAMILY);
    return Columns.balance(get(connection, get));
  }

  @Override
  public Entry entry(Connection connection, long account, int number) throws IOException {
    KeyRange columns = QUALIFIERS.range(number).get(0);
    Get get =
        new Get(KEYS.encode(account))
            .addFamily(ENTRIES)
            .setFilter(new ColumnRangeFilter(columns.start(), true, columns.stop(), false));
    return entries(get(connection, get)).get(0);
  }

  @Override
  public List<Entry> latest(Connection connection, long account, int limit) throws IOException {
    Get get =
        new Get(KEYS.encode(account))
            .addFamily(ENTRIES)
            .setFilter(new ColumnPaginationFilter(limit * FIELDS, 0));
    return entries(get(connection, get));
  }

  @Override
  public void correct(Connection connection, long account, int number, String text)
      throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      table.put(
          new Put(KEYS.encode(account))
              .addColumn(ENTRIES, column(number, TEXT), Bytes.toBytes(text)));
    }
  }
}
