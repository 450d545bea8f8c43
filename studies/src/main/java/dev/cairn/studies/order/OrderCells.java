package dev.cairn.studies.order;

import java.time.LocalDate;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/** An order as the cells of one row. */
interface OrderCells {
  /** Returns the columns, as text. */
  String layout();

  /** Returns the families of the columns. */
  byte[][] families();

  /** Adds time and items of an order. */
  Put add(Put put, Order order);

  /** Returns the order in a row. */
  Order read(long number, Customer customer, Result row);

  /** Returns a scan that returns the orders of a day, maybe with others. */
  Scan scan(LocalDate day);

  /** Returns whether a row of the scan belongs to the day. */
  boolean isOf(Result row, LocalDate day);
}
