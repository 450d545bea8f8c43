package dev.cairn.studies.order;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/** An item as a row, and the order out of its rows. */
final class RowsOfItems {
  static final String LAYOUT = "item 0: f:time; item 1 and more: f:product, f:quantity, f:cents";

  private static final byte[] PRODUCT = Bytes.toBytes("product");
  private static final byte[] QUANTITY = Bytes.toBytes("quantity");
  private static final byte[] CENTS = Bytes.toBytes("cents");

  private RowsOfItems() {}

  static Put put(byte[] row, Item item) {
    return new Put(row)
        .addColumn(Columns.FAMILY, PRODUCT, Bytes.toBytes(item.product()))
        .addColumn(Columns.FAMILY, QUANTITY, Bytes.toBytes(item.quantity()))
        .addColumn(Columns.FAMILY, CENTS, Bytes.toBytes(item.cents()));
  }

  private static Item read(Result row) {
    return new Item(
        Bytes.toLong(row.getValue(Columns.FAMILY, PRODUCT)),
        Bytes.toLong(row.getValue(Columns.FAMILY, QUANTITY)),
        Bytes.toLong(row.getValue(Columns.FAMILY, CENTS)));
  }

  /** A row, with the number in its key. */
  record Numbered(long order, Result row) {}

  /** Returns the orders of rows in the order of the keys: each order, then its items. */
  static List<Order> orders(Customer customer, List<Numbered> rows) {
    List<Order> orders = new ArrayList<>();
    int at = 0;
    while (at < rows.size()) {
      Numbered head = rows.get(at++);
      List<Item> items = new ArrayList<>();
      while (at < rows.size() && rows.get(at).order() == head.order()) {
        items.add(read(rows.get(at++).row()));
      }
      orders.add(new Order(head.order(), Columns.time(head.row()), customer, items));
    }
    return orders;
  }
}
