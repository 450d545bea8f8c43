package dev.cairn.studies.joins;

import dev.cairn.studies.Batches;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** A join in the client. */
record ClientJoin(String name, Method method) implements NormalisedJoin {
  /** How rows of the two tables meet. */
  interface Method {
    /** Gives each order that is asked for, with its customer, to a consumer. */
    void join(TwoTables tables, Ask asked, Consumer<Line> lines) throws IOException;
  }

  /** Returns the three joins. */
  static List<ClientJoin> all() {
    return List.of(
        new ClientJoin("client, nested loop", ClientJoin::nestedLoop),
        new ClientJoin("client, sort-merge", ClientJoin::sortMerge),
        new ClientJoin("client, broadcast", ClientJoin::broadcast));
  }

  @Override
  public List<?> answer(Connection connection, Ask asked) throws IOException {
    Line.Answer answer = new Line.Answer(asked.summed());
    try (TwoTables tables = TwoTables.open(connection)) {
      method.join(tables, asked, answer);
    }
    return answer.list();
  }

  /** Scans the orders, and gets the customers of some hundred orders at a time. */
  private static void nestedLoop(TwoTables tables, Ask asked, Consumer<Line> lines)
      throws IOException {
    try (ResultScanner orders = tables.orders().getScanner(Batches.slow(TwoTables.orders(asked)))) {
      Batches.divide(
          orders,
          part -> {
            List<Fact.Order> some = part.stream().map(TwoTables::order).toList();
            Map<String, Fact.Customer> customers = customers(tables.customers(), some);
            some.forEach(order -> lines.accept(Line.of(order, customers.get(order.customer()))));
          });
    }
  }

  /** Gets the customers of orders, each once. */
  static Map<String, Fact.Customer> customers(Table table, List<Fact.Order> orders)
      throws IOException {
    Map<String, Fact.Customer> customers = new HashMap<>();
    List<String> keys = orders.stream().map(Fact.Order::customer).distinct().toList();
    for (Result row : table.get(keys.stream().map(TwoTables::get).toList())) {
      Fact.Customer customer = TwoTables.customer(row);
      customers.put(customer.customer(), customer);
    }
    return customers;
  }

  /** Scans both tables side by side, because both are sorted by customer. */
  private static void sortMerge(TwoTables tables, Ask asked, Consumer<Line> lines)
      throws IOException {
    try (ResultScanner orders = tables.orders().getScanner(TwoTables.orders(asked));
        ResultScanner customers = tables.customers().getScanner(TwoTables.customers(asked))) {
      Fact.Customer customer = null;
      for (Result row : orders) {
        Fact.Order order = TwoTables.order(row);
        while (customer == null || customer.customer().compareTo(order.customer()) < 0) {
          customer = TwoTables.customer(customers.next());
        }
        lines.accept(Line.of(order, customer));
      }
    }
  }

  /** Keeps the customers in memory, and scans the orders. */
  private static void broadcast(TwoTables tables, Ask asked, Consumer<Line> lines)
      throws IOException {
    Map<String, Fact.Customer> customers =
        customers(tables.customers(), TwoTables.customers(asked));
    try (ResultScanner orders = tables.orders().getScanner(TwoTables.orders(asked))) {
      for (Result row : orders) {
        Fact.Order order = TwoTables.order(row);
        lines.accept(Line.of(order, customers.get(order.customer())));
      }
    }
  }

  /** Returns the customers of a scan. */
  static Map<String, Fact.Customer> customers(Table table, Scan scan) throws IOException {
    Map<String, Fact.Customer> customers = new HashMap<>();
    try (ResultScanner rows = table.getScanner(scan)) {
      for (Result row : rows) {
        Fact.Customer customer = TwoTables.customer(row);
        customers.put(customer.customer(), customer);
      }
    }
    return customers;
  }
}
