package dev.cairn.studies.order;

/**
 * A line of an order.
 *
 * @param cents the price of one
 */
record Item(long product, long quantity, long cents) {}
