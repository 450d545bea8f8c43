package dev.cairn.studies.order;

import dev.cairn.studies.Design;
import java.io.IOException;
import java.time.LocalDate;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;

/** A design for orders: a method for each kind of question. */
interface OrderDesign extends Design<Placed, Ask> {
  /** Returns all orders of a customer, in the order of number. */
  List<Order> ordersOf(Connection connection, long customer) throws IOException;

  /** Returns an order. */
  Order order(Connection connection, long customer, long number) throws IOException;

  /** Returns the labels of a day, in the order of number. */
  List<Label> labels(Connection connection, LocalDate day) throws IOException;

  /** Gives a customer an address. */
  void move(Connection connection, long customer, String address) throws IOException;

  @Override
  default List<?> answer(Connection connection, Ask asked) throws IOException {
    if (asked instanceof Ask.OrdersOf of) {
      return ordersOf(connection, of.customer());
    }
    if (asked instanceof Ask.OneOrder one) {
      return List.of(order(connection, one.customer(), one.order()));
    }
    if (asked instanceof Ask.LabelsOf of) {
      return labels(connection, of.day());
    }
    Ask.Move move = (Ask.Move) asked;
    move(connection, move.customer(), move.address());
    return List.of(move);
  }
}
