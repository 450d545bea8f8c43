package dev.cairn.studies.joins;

import dev.cairn.keys.KeyFormat;
import dev.cairn.keys.KeyRange;
import dev.cairn.keys.KeyValues;
import dev.cairn.studies.Batches;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.Scans;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The tables of customers and of orders, open. Keys of orders begin with the customer, so that both
 * tables are sorted by customer. An index leads from a product to its orders. One thread.
 */
record TwoTables(Table customers, Table orders) implements Closeable {
  static final TableName CUSTOMERS = TableName.valueOf("customers");
  static final TableName ORDERS = TableName.valueOf("orders");
  static final String LAYOUT =
      "customers: customer: f:name, f:country; orders: customer, order: f:product, f:amount;"
          + " cairn.index.by_product = f:product";
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final byte[] NAME = Bytes.toBytes("name");
  static final byte[] COUNTRY = Bytes.toBytes("country");
  private static final KeyFormat CUSTOMER = KeyFormat.parse("customer string");
  private static final KeyFormat ORDER = KeyFormat.parse("customer string, order long");
  private static final byte[] PRODUCT = Bytes.toBytes("product");
  private static final byte[] AMOUNT = Bytes.toBytes("amount");
  private static final int REGIONS = 4;

  /** Opens the tables. */
  static TwoTables open(Connection connection) throws IOException {
    return new TwoTables(connection.getTable(CUSTOMERS), connection.getTable(ORDERS));
  }

  /** Returns the tables that are to be made. */
  static List<NewTable> tables(long facts) {
    return List.of(customers(facts), orders(facts));
  }

  private static NewTable customers(long facts) {
    return new NewTable(
        TableDescriptorBuilder.newBuilder(CUSTOMERS)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .setValue(KeyFormat.TABLE_ATTRIBUTE, CUSTOMER.toString())
            .build(),
        splits(facts));
  }

  /** Returns the table of orders. */
  static NewTable orders(long facts) {
    return new NewTable(
        TableDescriptorBuilder.newBuilder(ORDERS)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .setValue(KeyFormat.TABLE_ATTRIBUTE, ORDER.toString())
            .setValue("cairn.index.by_product", "f:product")
            .build(),
        splits(facts));
  }

  /** Returns the first keys of regions that divide the customers evenly. */
  static List<byte[]> splits(long facts) {
    long customers = Fact.customers(facts);
    return customers < REGIONS
        ? List.of()
        : IntStream.range(1, REGIONS)
            .mapToObj(i -> Bytes.toBytes(Fact.customer(customers * i / REGIONS)))
            .toList();
  }

  /** Stores customers and orders. */
  void store(List<Fact> facts) throws IOException {
    List<Put> customerPuts = new ArrayList<>();
    List<Put> orderPuts = new ArrayList<>();
    for (Fact fact : facts) {
      if (fact instanceof Fact.Customer customer) {
        customerPuts.add(put(customer));
      } else {
        orderPuts.add(put((Fact.Order) fact));
      }
    }
    Batches.write(customers, customerPuts);
    Batches.write(orders, orderPuts);
  }

  /** Returns the put of a customer. */
  static Put put(Fact.Customer customer) {
    return new Put(CUSTOMER.encode(customer.customer()))
        .addColumn(FAMILY, NAME, Bytes.toBytes(customer.name()))
        .addColumn(FAMILY, COUNTRY, Bytes.toBytes(customer.country()));
  }

  /** Returns the put of an order. */
  static Put put(Fact.Order order) {
    return new Put(ORDER.encode(order.customer(), order.order()))
        .addColumn(FAMILY, PRODUCT, Bytes.toBytes(order.product()))
        .addColumn(FAMILY, AMOUNT, Bytes.toBytes(order.amount()));
  }

  /** Returns the customer of a row. */
  static Fact.Customer customer(Result row) {
    return new Fact.Customer(
        CUSTOMER.decode(row.getRow()).getString("customer"),
        Bytes.toString(row.getValue(FAMILY, NAME)),
        Bytes.toString(row.getValue(FAMILY, COUNTRY)));
  }

  /** Returns the order of a row. */
  static Fact.Order order(Result row) {
    KeyValues key = ORDER.decode(row.getRow());
    return new Fact.Order(
        key.getString("customer"),
        key.getLong("order"),
        Bytes.toString(row.getValue(FAMILY, PRODUCT)),
        Bytes.toLong(row.getValue(FAMILY, AMOUNT)));
  }

  /** Returns the get of a customer. */
  static Get get(String customer) {
    return new Get(CUSTOMER.encode(customer));
  }

  /** Returns the scan of the customers that may be needed. */
  static Scan customers(Ask asked) {
    return range(asked);
  }

  /** Returns the scan of the orders that are asked for. */
  static Scan orders(Ask asked) {
    Scan scan = range(asked);
    asked.product().map(TwoTables::filter).ifPresent(scan::setFilter);
    return scan;
  }

  private static SingleColumnValueFilter filter(String product) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(FAMILY, PRODUCT, CompareOperator.EQUAL, Bytes.toBytes(product));
    filter.setFilterIfMissing(true);
    return filter;
  }

  private static Scan range(Ask asked) {
    Scan scan = new Scan();
    asked.from().map(Bytes::toBytes).ifPresent(scan::withStartRow);
    asked.to().map(Bytes::toBytes).ifPresent(scan::withStopRow);
    return scan;
  }

  /** Returns the scan of all orders of a customer. */
  static Scan ordersOf(String customer) {
    KeyRange range = ORDER.range(customer).get(0);
    return Scans.of(range);
  }

  @Override
  public void close() throws IOException {
    customers.close();
    orders.close();
  }
}
