package dev.cairn.studies.order;

import dev.cairn.keys.KeyFormat;
import dev.cairn.studies.NewTable;
import java.io.IOException;
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
import org.apache.hadoop.hbase.util.Bytes;

/** The table of customers, a row for each, and the columns of a customer in any row. */
final class Customers {
  static final TableName TABLE = TableName.valueOf("customers");
  static final String LAYOUT = "customers: customer uint: f:name, f:address";

  private static final KeyFormat KEYS = KeyFormat.parse("customer uint");
  private static final byte[] NAME = Bytes.toBytes("name");
  private static final byte[] ADDRESS = Bytes.toBytes("address");

  private Customers() {}

  static NewTable table() {
    return NewTable.of(TABLE, Columns.FAMILY, KEYS);
  }

  /** Adds a customer's columns. */
  static Put add(Put put, Customer customer) {
    return addAddress(
        put.addColumn(Columns.FAMILY, NAME, Bytes.toBytes(customer.name())), customer.address());
  }

  static Put addAddress(Put put, String address) {
    return put.addColumn(Columns.FAMILY, ADDRESS, Bytes.toBytes(address));
  }

  /** Returns the customer in a row that has its columns. */
  static Customer read(long number, Result row) {
    return new Customer(number, text(row, NAME), text(row, ADDRESS));
  }

  /** Returns the label of an order whose row has the columns of its customer. */
  static Label label(long order, Result row) {
    return new Label(order, text(row, NAME), text(row, ADDRESS));
  }

  private static String text(Result row, byte[] column) {
    return Bytes.toString(row.getValue(Columns.FAMILY, column));
  }

  static Put put(Customer customer) {
    return add(new Put(KEYS.encode(customer.number())), customer);
  }

  static Customer get(Connection connection, long number) throws IOException {
    return get(connection, List.of(number)).get(number);
  }

  /** Returns customers by number. */
  static Map<Long, Customer> get(Connection connection, Collection<Long> numbers)
      throws IOException {
    List<Get> gets = new ArrayList<>();
    for (long number : numbers) {
      gets.add(new Get(KEYS.encode(number)));
    }
    Map<Long, Customer> customers = new HashMap<>();
    try (Table table = connection.getTable(TABLE)) {
      for (Result row : table.get(gets)) {
        long number = KEYS.decode(row.getRow()).getLong("customer");
        customers.put(number, read(number, row));
      }
    }
    return customers;
  }

  /** Gives a customer an address. */
  static void move(Connection connection, long number, String address) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      table.put(addAddress(new Put(KEYS.encode(number)), address));
    }
  }
}
