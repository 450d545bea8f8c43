package dev.cairn.studies.nested;

import dev.cairn.keys.KeyFormat;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.Scans;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A row for the account, and after it one for each entry. A booking writes two rows. A program that
 * dies between both leaves an entry that is missing in the balance.
 */
record ChildRows() implements AccountDesign {
  private static final TableName TABLE = TableName.valueOf("accounts_rows");
  private static final KeyFormat KEYS =
      KeyFormat.parse("account uint, type ubyte, entry uint desc");
  private static final int ACCOUNT = 0;
  private static final int ENTRY = 1;
  private static final byte[] CENTS = Bytes.toBytes("cents");
  private static final byte[] TEXT = Bytes.toBytes("text");

  @Override
  public String name() {
    return "a row for each entry";
  }

  @Override
  public String layout() {
    return KEYS + ": type 0: " + Columns.OWNER_AND_BALANCE + "; type 1: f:cents, f:text";
  }

  @Override
  public List<NewTable> tables(long facts) {
    return List.of(NewTable.of(TABLE, Columns.FAMILY, KEYS));
  }

  private static byte[] accountKey(long account) {
    return KEYS.encode(account, ACCOUNT, 0);
  }

  private static byte[] entryKey(long account, int entry) {
    return KEYS.encode(account, ENTRY, entry);
  }

  @Override
  public void book(Connection connection, Booking booking) throws IOException {
    byte[] row = accountKey(booking.account());
    Entry entry = booking.entry();
    try (Table table = connection.getTable(TABLE)) {
      Put owner = Columns.addOwner(new Put(row), booking);
      if (!owner.isEmpty()) {
        table.put(owner);
      }
      table.put(
          new Put(entryKey(booking.account(), entry.number()))
              .addColumn(Columns.FAMILY, CENTS, Bytes.toBytes(entry.cents()))
              .addColumn(Columns.FAMILY, TEXT, Bytes.toBytes(entry.text())));
      table.increment(Columns.addToBalance(row, booking));
    }
  }

  @Override
  public Account account(Connection connection, long account) throws IOException {
    Scan scan = Scans.of(KEYS.range(account).get(0));
    List<Result> rows = Scans.list(connection, TABLE, scan, row -> row);
    List<Entry> entries = rows.stream().skip(1).map(ChildRows::entry).toList();
    return new Account(account, Columns.owner(rows.get(0)), Columns.balance(rows.get(0)), entries);
  }

  private static Entry entry(Result row) {
    return new Entry(
        KEYS.decode(row.getRow()).getInt("entry"),
        Bytes.toLong(row.getValue(Columns.FAMILY, CENTS)),
        Bytes.toString(row.getValue(Columns.FAMILY, TEXT)));
  }

  @Override
  public long balance(Connection connection, long account) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      return Columns.balance(table.get(new Get(accountKey(account))));
    }
  }

  @Override
  public Entry entry(Connection connection, long account, int number) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      return entry(table.get(new Get(entryKey(account, number))));
    }
  }

  @Override
  public List<Entry> latest(Connection connection, long account, int limit) throws IOException {
    Scan scan = Scans.of(KEYS.range(account, ENTRY).get(0)).setLimit(limit);
    return Scans.list(connection, TABLE, scan, ChildRows::entry);
  }

  @Override
  public void correct(Connection connection, long account, int number, String text)
      throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      table.put(
          new Put(entryKey(account, number)).addColumn(Columns.FAMILY, TEXT, Bytes.toBytes(text)));
    }
  }
}
