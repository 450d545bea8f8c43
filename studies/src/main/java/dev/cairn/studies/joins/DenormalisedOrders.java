package dev.cairn.studies.joins;

import dev.cairn.studies.BatchWriter;
import dev.cairn.studies.Batches;
import dev.cairn.studies.FactWriter;
import dev.cairn.studies.NewTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The join is made when an order is stored: its row has the customer's name and country, too. A
 * customer's new name must be written into all orders; meanwhile, some have the old one.
 */
record DenormalisedOrders() implements Join {
  @Override
  public String name() {
    return "denormalised";
  }

  @Override
  public String layout() {
    return TwoTables.LAYOUT + "; orders also f:name, f:country";
  }

  @Override
  public List<NewTable> tables(long facts) {
    return TwoTables.tables(facts);
  }

  @Override
  public FactWriter<Fact> writer(Connection connection) throws IOException {
    return new BatchWriter<>(TwoTables.open(connection), DenormalisedOrders::store);
  }

  private static void store(TwoTables tables, List<Fact> facts) throws IOException {
    List<Put> customers = new ArrayList<>();
    List<Fact.Order> orders = new ArrayList<>();
    for (Fact fact : facts) {
      if (fact instanceof Fact.Customer customer) {
        customers.add(TwoTables.put(customer));
      } else {
        orders.add((Fact.Order) fact);
      }
    }
    // Orders of a customer may be in the same batch.
    Batches.write(tables.customers(), customers);
    Map<String, Fact.Customer> named = ClientJoin.customers(tables.customers(), orders);
    Batches.write(
        tables.orders(),
        orders.stream()
            .map(order -> name(TwoTables.put(order), named.get(order.customer())))
            .toList());
  }

  private static Put name(Put order, Fact.Customer customer) {
    return order
        .addColumn(TwoTables.FAMILY, TwoTables.NAME, Bytes.toBytes(customer.name()))
        .addColumn(TwoTables.FAMILY, TwoTables.COUNTRY, Bytes.toBytes(customer.country()));
  }

  @Override
  public List<?> answer(Connection connection, Ask asked) throws IOException {
    Line.Answer answer = new Line.Answer(asked.summed());
    try (Table orders = connection.getTable(TwoTables.ORDERS);
        ResultScanner rows = orders.getScanner(TwoTables.orders(asked))) {
      for (Result row : rows) {
        Fact.Order order = TwoTables.order(row);
        answer.accept(Line.of(order, customer(row, order.customer())));
      }
    }
    return answer.list();
  }

  private static Fact.Customer customer(Result row, String customer) {
    return new Fact.Customer(
        customer,
        Bytes.toString(row.getValue(TwoTables.FAMILY, TwoTables.NAME)),
        Bytes.toString(row.getValue(TwoTables.FAMILY, TwoTables.COUNTRY)));
  }

  @Override
  public void rename(Connection connection, Fact.Customer renamed) throws IOException {
    try (TwoTables tables = TwoTables.open(connection)) {
      // First the customer: orders that are stored from now on have the new name.
      tables.customers().put(TwoTables.put(renamed));
      List<Put> orders = new ArrayList<>();
      try (ResultScanner rows =
          tables.orders().getScanner(TwoTables.ordersOf(renamed.customer()))) {
        for (Result row : rows) {
          orders.add(name(new Put(row.getRow()), renamed));
        }
      }
      Batches.write(tables.orders(), orders);
    }
  }
}
