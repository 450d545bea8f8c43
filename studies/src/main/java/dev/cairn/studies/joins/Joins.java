package dev.cairn.studies.joins;

import dev.cairn.studies.Design;
import dev.cairn.studies.Figure;
import dev.cairn.studies.Question;
import dev.cairn.studies.Study;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Connection;

/** Orders with the names and countries of their customers. */
public final class Joins implements Study<Fact, Ask> {
  private static final int CUSTOMERS = 100;
  private static final int RENAMED = 100;
  private static final double NANOS_PER_MILLI = 1e6;

  @Override
  public String name() {
    return "joins";
  }

  @Override
  public String subject() {
    return "Orders with the names and countries of their customers: which join?";
  }

  @Override
  public Stream<Fact> facts(long count) {
    return Fact.first(count);
  }

  @Override
  public long usualFacts() {
    return 220_000;
  }

  @Override
  public long sequence(Fact fact, long number) {
    return fact.customer().hashCode();
  }

  @Override
  public List<Question<Ask>> questions(long count) {
    long customers = Fact.customers(count);
    return List.of(
        new Question<>(
            "orders of 100 customers, by key",
            random -> {
              long from = random.nextLong(customers);
              return Ask.customers(Fact.customer(from), Fact.customer(from + CUSTOMERS));
            }),
        new Question<>(
            "orders of a product, by index",
            random -> Ask.product(Fact.product(random.nextInt(Fact.PRODUCTS)))),
        new Question<>("amounts by country, all orders", random -> Ask.sums()));
  }

  @Override
  public List<Design<Fact, Ask>> designs() {
    List<Design<Fact, Ask>> designs = new ArrayList<>(ClientJoin.all());
    designs.add(new ReduceSideJoin());
    designs.add(new MapSideJoin());
    designs.add(new DenormalisedOrders());
    designs.addAll(PhoenixJoin.all());
    return designs;
  }

  @Override
  public List<?> answer(Stream<Fact> facts, Ask asked) {
    Line.Answer answer = new Line.Answer(asked.summed());
    Map<String, Fact.Customer> customers = new HashMap<>();
    facts.forEach(
        fact -> {
          if (fact instanceof Fact.Customer customer) {
            customers.put(customer.customer(), customer);
          } else if (asked.contains((Fact.Order) fact)) {
            answer.accept(Line.of((Fact.Order) fact, customers.get(fact.customer())));
          }
        });
    return answer.list();
  }

  /** Measures what it takes to change a customer. */
  @Override
  public List<Figure> figures(Design<Fact, Ask> design, Connection connection, long count)
      throws IOException {
    List<Fact.Customer> renamed =
        facts(count)
            .limit(RENAMED)
            .filter(Fact.Customer.class::isInstance)
            .map(Fact.Customer.class::cast)
            .toList();
    long begin = System.nanoTime();
    for (Fact.Customer customer : renamed) {
      ((Join) design).rename(connection, customer);
    }
    return List.of(
        new Figure(
            "change of a customer, ms",
            (System.nanoTime() - begin) / NANOS_PER_MILLI / renamed.size()));
  }
}
