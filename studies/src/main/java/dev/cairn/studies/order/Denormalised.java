package dev.cairn.studies.order;

import dev.cairn.keys.KeyFormat;
import dev.cairn.keys.KeyRange;
import dev.cairn.keys.KeyValues;
import dev.cairn.studies.FactWriter;
import dev.cairn.studies.MutatorWriter;
import dev.cairn.studies.MutatorsWriter.Change;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.Scans;
import java.io.IOException;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;

/** One table of orders, each with its customer's data. */
record Denormalised() implements OrderDesign {
  private static final TableName TABLE = TableName.valueOf("full_orders");
  private static final KeyFormat KEYS = KeyFormat.parse("customer uint, order ulong");
  private static final OrderCells CELLS = new ColumnsOfItems();

  @Override
  public String name() {
    return "denormalised";
  }

  @Override
  public String layout() {
    return KEYS + ": f:name, f:address, " + CELLS.layout();
  }

  @Override
  public List<NewTable> tables(long facts) {
    return List.of(NewTable.of(TABLE, KEYS, CELLS.families()));
  }

  @Override
  public FactWriter<Placed> writer(Connection connection) throws IOException {
    return new MutatorWriter<>(connection, TABLE, placed -> put(placed.order()));
  }

  /** Returns how an order is stored. */
  Change change(Order order) {
    return new Change(TABLE, put(order));
  }

  private static Put put(Order order) {
    byte[] key = KEYS.encode(order.customer().number(), order.number());
    return CELLS.add(Customers.add(new Put(key), order.customer()), order);
  }

  @Override
  public List<Order> ordersOf(Connection connection, long customer) throws IOException {
    return Scans.list(connection, TABLE, Scans.of(range(customer)), Denormalised::read);
  }

  private static KeyRange range(long customer) {
    return KEYS.range(customer).get(0);
  }

  private static Order read(Result row) {
    KeyValues key = KEYS.decode(row.getRow());
    return CELLS.read(key.getLong("order"), Customers.read(key.getLong("customer"), row), row);
  }

  @Override
  public Order order(Connection connection, long customer, long number) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      return read(table.get(new Get(KEYS.encode(customer, number))));
    }
  }

  @Override
  public List<Label> labels(Connection connection, LocalDate day) throws IOException {
    List<Label> labels = Scans.list(connection, TABLE, CELLS.scan(day), Denormalised::label);
    return labels.stream().sorted(Comparator.comparing(Label::order)).toList();
  }

  private static Label label(Result row) {
    return Customers.label(KEYS.decode(row.getRow()).getLong("order"), row);
  }

  /** Changes the address in each order of the customer: not atomic. */
  @Override
  public void move(Connection connection, long customer, String address) throws IOException {
    Scan scan = Scans.of(range(customer)).setFilter(new KeyOnlyFilter());
    List<Put> puts =
        Scans.list(
            connection, TABLE, scan, row -> Customers.addAddress(new Put(row.getRow()), address));
    try (Table table = connection.getTable(TABLE)) {
      table.put(puts);
    }
  }
}
