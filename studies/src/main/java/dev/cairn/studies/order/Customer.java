package dev.cairn.studies.order;

import java.util.SplittableRandom;

/** Whoever orders. */
record Customer(long number, String name, String address) {
  private static final int STREETS = 500;
  private static final int HOUSES = 200;

  /** Returns a customer; the same one for each call. */
  static Customer of(long number) {
    SplittableRandom random = new SplittableRandom(number);
    return new Customer(
        number,
        "Customer %07d, Example Company".formatted(number),
        "%d Street No. %d, 10115 Example City, Country"
            .formatted(random.nextInt(HOUSES), random.nextInt(STREETS)));
  }

  /** Returns the customer at another address. */
  Customer at(String other) {
    return new Customer(number, name, other);
  }
}
