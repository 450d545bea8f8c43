package dev.cairn.studies.order;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/**
 * An order.
 *
 * @param number greater than those of all earlier orders
 */
record Order(long number, Instant time, Customer customer, List<Item> items) {
  /** Copies the list. */
  Order {
    items = List.copyOf(items);
  }

  LocalDate day() {
    return day(time);
  }

  /** Returns the day of a time, in UTC. */
  static LocalDate day(Instant time) {
    return time.atZone(ZoneOffset.UTC).toLocalDate();
  }
}
