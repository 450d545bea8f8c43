package dev.cairn.studies.joins;

import java.util.Optional;

/**
 * Asks for orders with the names and countries of their customers.
 *
 * @param from the first customer; empty for all
 * @param to after the last customer
 * @param product the ordered product; empty for all
 * @param summed whether the amounts of each country are asked for instead of the orders
 */
record Ask(Optional<String> from, Optional<String> to, Optional<String> product, boolean summed) {
  /** Asks for the orders of some customers. */
  static Ask customers(String from, String to) {
    return new Ask(Optional.of(from), Optional.of(to), Optional.empty(), false);
  }

  /** Asks for the orders of a product. */
  static Ask product(String product) {
    return new Ask(Optional.empty(), Optional.empty(), Optional.of(product), false);
  }

  /** Asks for the amounts of all countries. */
  static Ask sums() {
    return new Ask(Optional.empty(), Optional.empty(), Optional.empty(), true);
  }

  /** Tells whether an order is asked for. */
  boolean contains(Fact.Order order) {
    return from.filter(first -> order.customer().compareTo(first) < 0).isEmpty()
        && to.filter(end -> order.customer().compareTo(end) >= 0).isEmpty()
        && product.filter(name -> !name.equals(order.product())).isEmpty();
  }
}
