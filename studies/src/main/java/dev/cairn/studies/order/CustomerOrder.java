package dev.cairn.studies.order;

import dev.cairn.studies.Design;
import dev.cairn.studies.Question;
import dev.cairn.studies.Study;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/** Customers, orders and their items. */
public final class CustomerOrder implements Study<Placed, Ask> {
  @Override
  public String name() {
    return "customer-order";
  }

  @Override
  public String subject() {
    return "Customers, orders and their items: which of them share a table, a row, a cell?";
  }

  @Override
  public long usualFacts() {
    return 50_000;
  }

  @Override
  public Stream<Placed> facts(long count) {
    return Placed.first(count);
  }

  @Override
  public List<Question<Ask>> questions(long count) {
    return List.of(
        new Question<>(
            "a customer's orders",
            random -> new Ask.OrdersOf(random.nextLong(Placed.customers(count)))),
        new Question<>(
            "an order",
            random -> {
              long order = random.nextLong(count);
              return new Ask.OneOrder(Placed.customer(order, count), order);
            }),
        new Question<>(
            "labels of a day",
            random -> new Ask.LabelsOf(Order.day(Placed.time(random.nextLong(count))))),
        new Question<>(
            "a customer moves",
            random -> {
              Customer customer = Customer.of(random.nextLong(Placed.customers(count)));
              return new Ask.Move(customer.number(), customer.address());
            }));
  }

  @Override
  public List<Design<Placed, Ask>> designs() {
    return List.of(
        new RecordTypes(),
        new ItemRows(),
        new OrderRows("items as columns", new ColumnsOfItems(), DataBlockEncoding.NONE),
        new OrderRows(
            "items as columns, FAST_DIFF", new ColumnsOfItems(), DataBlockEncoding.FAST_DIFF),
        new OrderRows("order as one value", new OneValue(), DataBlockEncoding.NONE),
        new Denormalised(),
        new TableForQuestion());
  }

  @Override
  public List<?> answer(Stream<Placed> facts, Ask asked) {
    Stream<Order> orders = facts.map(Placed::order);
    if (asked instanceof Ask.OrdersOf of) {
      return orders.filter(order -> order.customer().number() == of.customer()).toList();
    }
    if (asked instanceof Ask.OneOrder one) {
      return orders.filter(order -> order.number() == one.order()).toList();
    }
    if (asked instanceof Ask.LabelsOf of) {
      return orders.filter(order -> order.day().equals(of.day())).map(Label::of).toList();
    }
    return List.of(asked);
  }
}
