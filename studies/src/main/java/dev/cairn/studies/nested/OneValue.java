package dev.cairn.studies.nested;

import dev.cairn.keys.KeyFormat;
import dev.cairn.studies.NewTable;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * An account with all entries in one value. A change reads the value and writes it again, if it has
 * not changed meanwhile. All is atomic, and nothing can be read or changed alone.
 */
record OneValue() implements AccountDesign {
  private static final TableName TABLE = TableName.valueOf("accounts_values");
  private static final KeyFormat KEYS = KeyFormat.parse("account uint");
  private static final byte[] VALUE = Bytes.toBytes("account");

  @Override
  public String name() {
    return "one value";
  }

  @Override
  public String layout() {
    return KEYS + ": f:account, owner, balance and entries in one value";
  }

  @Override
  public List<NewTable> tables(long facts) {
    return List.of(NewTable.of(TABLE, Columns.FAMILY, KEYS));
  }

  @Override
  public void book(Connection connection, Booking booking) throws IOException {
    change(connection, booking.account(), account -> account.with(booking.entry()));
  }

  private static void change(Connection connection, long number, UnaryOperator<Account> change)
      throws IOException {
    byte[] row = KEYS.encode(number);
    try (Table table = connection.getTable(TABLE)) {
      boolean done = false;
      while (!done) {
        byte[] before = table.get(new Get(row)).getValue(Columns.FAMILY, VALUE);
        Account account =
            before == null
                ? new Account(number, Account.owner(number), 0, List.of())
                : AccountBytes.read(number, before);
        byte[] after = AccountBytes.write(change.apply(account));
        CheckAndMutate.Builder check = CheckAndMutate.newBuilder(row);
        check =
            before == null
                ? check.ifNotExists(Columns.FAMILY, VALUE)
                : check.ifEquals(Columns.FAMILY, VALUE, before);
        Put put = new Put(row).addColumn(Columns.FAMILY, VALUE, after);
        done = table.checkAndMutate(check.build(put)).isSuccess();
      }
    }
  }

  @Override
  public Account account(Connection connection, long account) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      byte[] value = table.get(new Get(KEYS.encode(account))).getValue(Columns.FAMILY, VALUE);
      return AccountBytes.read(account, value);
    }
  }

  @Override
  public long balance(Connection connection, long account) throws IOException {
    return account(connection, account).balance();
  }

  @Override
  public Entry entry(Connection connection, long account, int number) throws IOException {
    List<Entry> entries = account(connection, account).entries();
    return entries.get(entries.size() - number);
  }

  @Override
  public List<Entry> latest(Connection connection, long account, int limit) throws IOException {
    return account(connection, account).entries().stream().limit(limit).toList();
  }

  @Override
  public void correct(Connection connection, long account, int number, String text)
      throws IOException {
    change(connection, account, one -> one.corrected(number, text));
  }
}
