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
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/**
 * Two tables: customers; and orders, with one row for each order.
 *
 * @param encoding of the blocks with orders
 */
record OrderRows(String name, OrderCells cells, DataBlockEncoding encoding) implements OrderDesign {
  private static final TableName TABLE = TableName.valueOf("orders");
  private static final KeyFormat KEYS = KeyFormat.parse("customer uint, order ulong");

  @Override
  public String layout() {
    return Customers.LAYOUT + "; orders: " + KEYS + ": " + cells.layout();
  }

  @Override
  public List<NewTable> tables(long facts) {
    List<ColumnFamilyDescriptor> families =
        Arrays.stream(cells.families()).map(this::family).toList();
    return List.of(Customers.table(), NewTable.of(TABLE, KEYS, families));
  }

  private ColumnFamilyDescriptor family(byte[] family) {
    return ColumnFamilyDescriptorBuilder.newBuilder(family).setDataBlockEncoding(encoding).build();
  }

  @Override
  public FactWriter<Placed> writer(Connection connection) {
    return new MutatorsWriter<>(connection, this::changes);
  }

  private List<Change> changes(Placed placed) {
    Order order = placed.order();
    List<Change> changes = new ArrayList<>();
    if (placed.first()) {
      changes.add(new Change(Customers.TABLE, Customers.put(order.customer())));
    }
    byte[] key = KEYS.encode(order.customer().number(), order.number());
    changes.add(new Change(TABLE, cells.add(new Put(key), order)));
    return changes;
  }

  @Override
  public List<Order> ordersOf(Connection connection, long customer) throws IOException {
    Customer found = Customers.get(connection, customer);
    KeyRange range = KEYS.range(customer).get(0);
    return Scans.list(
        connection, TABLE, Scans.of(range), row -> cells.read(numbers(row).order(), found, row));
  }

  @Override
  public Order order(Connection connection, long customer, long number) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      Result row = table.get(new Get(KEYS.encode(customer, number)));
      return cells.read(number, Customers.get(connection, customer), row);
    }
  }

  @Override
  public List<Label> labels(Connection connection, LocalDate day) throws IOException {
    List<Result> rows = Scans.list(connection, TABLE, cells.scan(day), row -> row);
    var orders = rows.stream().filter(row -> cells.isOf(row, day)).map(OrderRows::numbers).toList();
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
