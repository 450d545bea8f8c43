package dev.cairn.studies.order;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * An order arrives.
 *
 * @param first whether it is the first order of the customer
 */
record Placed(Order order, boolean first) {
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration INTERVAL = Duration.ofMinutes(1);
  private static final int ORDERS_OF_CUSTOMER = 10;
  private static final int ITEMS_MAX = 5;
  private static final int PRODUCTS = 10_000;
  private static final int QUANTITY_MAX = 10;
  private static final int CENTS_MAX = 100_000;

  /** Returns the first orders. */
  static Stream<Placed> first(long count) {
    return LongStream.range(0, count).mapToObj(number -> of(number, count));
  }

  /** Returns how many customers place so many orders. */
  static long customers(long count) {
    return Math.max(1, count / ORDERS_OF_CUSTOMER);
  }

  /** Returns the time of an order. */
  static Instant time(long number) {
    return BEGIN.plus(INTERVAL.multipliedBy(number));
  }

  /** Returns the number of the customer of an order, one of so many orders. */
  static long customer(long number, long count) {
    return number < customers(count) ? number : random(number).nextLong(customers(count));
  }

  private static SplittableRandom random(long number) {
    return new SplittableRandom(number);
  }

  private static Placed of(long number, long count) {
    Order order =
        new Order(number, time(number), Customer.of(customer(number, count)), items(number));
    return new Placed(order, number < customers(count));
  }

  private static List<Item> items(long number) {
    SplittableRandom random = random(number).split();
    return Stream.generate(
            () ->
                new Item(
                    random.nextLong(PRODUCTS),
                    random.nextLong(1, QUANTITY_MAX),
                    random.nextLong(CENTS_MAX)))
        .limit(random.nextInt(1, ITEMS_MAX + 1))
        .toList();
  }
}
