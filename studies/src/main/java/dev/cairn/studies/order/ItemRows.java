package dev.cairn.studies.order;

import dev.cairn.keys.KeyFormat;
import dev.cairn.keys.KeyRange;
import dev.cairn.keys.KeyValues;
import dev.cairn.studies.FactWriter;
import dev.cairn.studies.MutatorsWriter;
import dev.cairn.studies.MutatorsWriter.Change;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.Scans;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;

/** Two tables: customers; and orders, with a row for each item. */
record ItemRows() implements OrderDesign {
  private static final TableName TABLE = TableName.valueOf("order_items");
  private static final KeyFormat KEYS = KeyFormat.parse("customer uint, order ulong, item ushort");

  @Override
  public String name() {
    return "two tables, items as rows";
  }

  @Override
  public String layout() {
    return Customers.LAYOUT + "; orders: " + KEYS + ": " + RowsOfItems.LAYOUT;
  }

  @Override
  public List<NewTable> tables(long facts) {
    return List.of(Customers.table(), NewTable.of(TABLE, Columns.FAMILY, KEYS));
  }

  @Override
  public FactWriter<Placed> writer(Connection connection) {
    return new MutatorsWriter<>(connection, ItemRows::changes);
  }

  private static List<Change> changes(Placed placed) {
    Order order = placed.order();
    List<Change> changes = new ArrayList<>();
    if (placed.first()) {
      changes.add(new Change(Customers.TABLE, Customers.put(order.customer())));
    }
    changes.add(new Change(TABLE, Columns.addTime(new Put(key(order, 0)), order.time())));
    for (int i = 0; i < order.items().size(); i++) {
      changes.add(new Change(TABLE, RowsOfItems.put(key(order, i + 1), order.items().get(i))));
    }
    return changes;
  }

  private static byte[] key(Order order, int item) {
    return KEYS.encode(order.customer().number(), order.number(), item);
  }

  @Override
  public List<Order> ordersOf(Connection connection, long customer) throws IOException {
    return orders(connection, customer, KEYS.range(customer).get(0));
  }

  @Override
  public Order order(Connection connection, long customer, long number) throws IOException {
    return orders(connection, customer, KEYS.range(customer, number).get(0)).get(0);
  }

  private static List<Order> orders(Connection connection, long customer, KeyRange range)
      throws IOException {
    var rows =
        Scans.list(
            connection,
            TABLE,
            Scans.of(range),
            row -> new RowsOfItems.Numbered(KEYS.decode(row.getRow()).getLong("order"), row));
    return RowsOfItems.orders(Customers.get(connection, customer), rows);
  }

  @Override
  public List<Label> labels(Connection connection, LocalDate day) throws IOException {
    var orders = Columns.ordersOf(connection, TABLE, day, ItemRows::numbers);
    return Columns.labels(orders, Customers.get(connection, Columns.customers(orders)));
  }

  private static Columns.Numbers numbers(Result row) {
    KeyValues key = KEYS.decode(row.getRow());
    return new Columns.Numbers(key.getLong("order"), key.getLong("customer"));
  }

  @Override
  public void move(Connection connection, long customer, String address) throws IOException {
    Customers.move(connection, customer, address);
  }
}
