package dev.cairn.studies.order;

/** The address on the parcel of an order. */
record Label(long order, String name, String address) {
  static Label of(Order order) {
    return new Label(order.number(), order.customer().name(), order.customer().address());
  }
}
