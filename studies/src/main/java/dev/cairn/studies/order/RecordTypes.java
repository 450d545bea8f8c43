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
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;

/**
 * One table for customers, orders and items. The type of a row is a part of its key, so that a
 * customer's row stands before the rows of its orders, and all are one range. Parts that a type
 * does not need are 0.
 */
record RecordTypes() implements OrderDesign {
  private static final TableName TABLE = TableName.valueOf("shop");
  private static final KeyFormat KEYS =
      KeyFormat.parse("customer uint, type ubyte, order ulong, item ushort");
  private static final int CUSTOMER = 0;
  private static final int ORDER = 1;

  @Override
  public String name() {
    return "one table, types of records";
  }

  @Override
  public String layout() {
    return KEYS + ": type 0: f:name, f:address; type 1, " + RowsOfItems.LAYOUT;
  }

  @Override
  public List<NewTable> tables(long facts) {
    return List.of(NewTable.of(TABLE, Columns.FAMILY, KEYS));
  }

  @Override
  public FactWriter<Placed> writer(Connection connection) {
    return new MutatorsWriter<>(connection, RecordTypes::changes);
  }

  private static List<Change> changes(Placed placed) {
    Order order = placed.order();
    List<Change> changes = new ArrayList<>();
    if (placed.first()) {
      changes.add(
          new Change(
              TABLE,
              Customers.add(new Put(customerKey(order.customer().number())), order.customer())));
    }
    changes.add(new Change(TABLE, Columns.addTime(new Put(key(order, 0)), order.time())));
    for (int i = 0; i < order.items().size(); i++) {
      changes.add(new Change(TABLE, RowsOfItems.put(key(order, i + 1), order.items().get(i))));
    }
    return changes;
  }

  private static byte[] customerKey(long customer) {
    return KEYS.encode(customer, CUSTOMER, 0, 0);
  }

  private static byte[] key(Order order, int item) {
    return KEYS.encode(order.customer().number(), ORDER, order.number(), item);
  }

  @Override
  public List<Order> ordersOf(Connection connection, long customer) throws IOException {
    KeyRange range = KEYS.range(customer).get(0);
    List<Result> rows = Scans.list(connection, TABLE, Scans.of(range), row -> row);
    return RowsOfItems.orders(
        Customers.read(customer, rows.get(0)), numbered(rows.subList(1, rows.size())));
  }

  private static List<RowsOfItems.Numbered> numbered(List<Result> rows) {
    return rows.stream()
        .map(row -> new RowsOfItems.Numbered(KEYS.decode(row.getRow()).getLong("order"), row))
        .toList();
  }

  @Override
  public Order order(Connection connection, long customer, long number) throws IOException {
    KeyRange range = KEYS.range(customer, ORDER, number).get(0);
    List<Result> rows = Scans.list(connection, TABLE, Scans.of(range), row -> row);
    Customer found = customers(connection, List.of(customer)).get(customer);
    return RowsOfItems.orders(found, numbered(rows)).get(0);
  }

  private static Map<Long, Customer> customers(Connection connection, Collection<Long> numbers)
      throws IOException {
    Map<Long, Customer> customers = new HashMap<>();
    try (Table table = connection.getTable(TABLE)) {
      List<Get> gets = numbers.stream().map(number -> new Get(customerKey(number))).toList();
      for (Result row : table.get(gets)) {
        long number = KEYS.decode(row.getRow()).getLong("customer");
        customers.put(number, Customers.read(number, row));
      }
    }
    return customers;
  }

  @Override
  public List<Label> labels(Connection connection, LocalDate day) throws IOException {
    var orders = Columns.ordersOf(connection, TABLE, day, RecordTypes::numbers);
    return Columns.labels(orders, customers(connection, Columns.customers(orders)));
  }

  private static Columns.Numbers numbers(Result row) {
    KeyValues key = KEYS.decode(row.getRow());
    return new Columns.Numbers(key.getLong("order"), key.getLong("customer"));
  }

  @Override
  public void move(Connection connection, long customer, String address) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      table.put(Customers.addAddress(new Put(customerKey(customer)), address));
    }
  }
}
