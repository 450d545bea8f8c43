package dev.cairn.studies.order;

import dev.cairn.keys.KeyFormat;
import dev.cairn.keys.KeyRange;
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
import org.apache.hadoop.hbase.client.Table;

/** {@link Denormalised}, and a second table in the order of days: a table for each question. */
record TableForQuestion() implements OrderDesign {
  private static final Denormalised BY_CUSTOMER = new Denormalised();
  private static final TableName TABLE = TableName.valueOf("orders_of_day");
  private static final KeyFormat KEYS = KeyFormat.parse("day date, order ulong");

  @Override
  public String name() {
    return "a table for each question";
  }

  @Override
  public String layout() {
    return BY_CUSTOMER.layout() + "; " + KEYS + ": f:name, f:address";
  }

  @Override
  public List<NewTable> tables(long facts) {
    List<NewTable> tables = new ArrayList<>(BY_CUSTOMER.tables(facts));
    tables.add(NewTable.of(TABLE, Columns.FAMILY, KEYS));
    return tables;
  }

  @Override
  public FactWriter<Placed> writer(Connection connection) {
    return new MutatorsWriter<>(connection, TableForQuestion::changes);
  }

  private static List<Change> changes(Placed placed) {
    Order order = placed.order();
    return List.of(
        BY_CUSTOMER.change(order),
        new Change(TABLE, Customers.add(new Put(key(order)), order.customer())));
  }

  private static byte[] key(Order order) {
    return KEYS.encode(order.day(), order.number());
  }

  @Override
  public List<Order> ordersOf(Connection connection, long customer) throws IOException {
    return BY_CUSTOMER.ordersOf(connection, customer);
  }

  @Override
  public Order order(Connection connection, long customer, long number) throws IOException {
    return BY_CUSTOMER.order(connection, customer, number);
  }

  @Override
  public List<Label> labels(Connection connection, LocalDate day) throws IOException {
    KeyRange range = KEYS.range(day).get(0);
    return Scans.list(connection, TABLE, Scans.of(range), TableForQuestion::label);
  }

  private static Label label(Result row) {
    return Customers.label(KEYS.decode(row.getRow()).getLong("order"), row);
  }

  /** Changes the address in each order of the customer, in one table and then in the other. */
  @Override
  public void move(Connection connection, long customer, String address) throws IOException {
    List<Put> puts =
        ordersOf(connection, customer).stream()
            .map(order -> Customers.addAddress(new Put(key(order)), address))
            .toList();
    BY_CUSTOMER.move(connection, customer, address);
    try (Table table = connection.getTable(TABLE)) {
      table.put(puts);
    }
  }
}
