package dev.cairn.studies.joins;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A row of one of the two tables. */
sealed interface Fact {
  /** Orders for each customer, on average. */
  int ORDERS = 10;

  /** Products; all are ordered equally often. */
  int PRODUCTS = 5_000;

  /** Countries of customers. */
  int COUNTRIES = 20;

  /** Returns the customer that the row belongs to. */
  String customer();

  /**
   * A customer.
   *
   * @param customer the row key
   */
  record Customer(String customer, String name, String country) implements Fact {}

  /**
   * An order.
   *
   * @param customer who ordered
   * @param order its number
   */
  record Order(String customer, long order, String product, long amount) implements Fact {}

  /** Returns how many customers there are among so many facts. */
  static long customers(long count) {
    return Math.max(1, count / (1 + ORDERS));
  }

  /** Returns the key of a customer. */
  static String customer(long number) {
    return "customer%08d".formatted(number);
  }

  /** Returns the name of a product. */
  static String product(int number) {
    return "product%04d".formatted(number);
  }

  /** Returns first all customers, then orders of customers that are drawn. */
  static Stream<Fact> first(long count) {
    SplittableRandom random = new SplittableRandom(1);
    long customers = customers(count);
    return LongStream.range(0, count)
        .mapToObj(
            i ->
                i < customers
                    ? new Customer(
                        customer(i),
                        "Name of customer " + i,
                        "country%02d".formatted(random.nextInt(COUNTRIES)))
                    : new Order(
                        customer(random.nextLong(customers)),
                        i,
                        product(random.nextInt(PRODUCTS)),
                        1 + random.nextLong(1_000)));
  }
}
