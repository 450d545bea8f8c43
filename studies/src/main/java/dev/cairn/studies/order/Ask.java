package dev.cairn.studies.order;

import java.time.LocalDate;

/** A question about orders. */
sealed interface Ask {
  /** Asks for all orders of a customer, with the customer and all items, in the order of number. */
  record OrdersOf(long customer) implements Ask {}

  /** Asks for an order with its items. */
  record OneOrder(long customer, long order) implements Ask {}

  /** Asks for the labels of the parcels of all orders of a day, in the order of number. */
  record LabelsOf(LocalDate day) implements Ask {}

  /** Gives a customer an address, with which all orders are seen from then on. */
  record Move(long customer, String address) implements Ask {}
}
