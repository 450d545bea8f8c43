package dev.cairn.studies.order;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/** An order as one value, which the server does not look into. */
final class OneValue implements OrderCells {
  private static final byte[] VALUE = Bytes.toBytes("order");
  private static final int ITEM_BYTES = 3 * Long.BYTES;

  @Override
  public String layout() {
    return "f:order, time and items in one value";
  }

  @Override
  public byte[][] families() {
    return new byte[][] {Columns.FAMILY};
  }

  @Override
  public Put add(Put put, Order order) {
    ByteBuffer value = ByteBuffer.allocate(Long.BYTES + order.items().size() * ITEM_BYTES);
    value.putLong(order.time().toEpochMilli());
    for (Item item : order.items()) {
      value.putLong(item.product()).putLong(item.quantity()).putLong(item.cents());
    }
    return put.addColumn(Columns.FAMILY, VALUE, value.array());
  }

  @Override
  public Order read(long number, Customer customer, Result row) {
    ByteBuffer value = row.getValueAsByteBuffer(Columns.FAMILY, VALUE);
    Instant time = Instant.ofEpochMilli(value.getLong());
    List<Item> items = new ArrayList<>();
    while (value.hasRemaining()) {
      items.add(new Item(value.getLong(), value.getLong(), value.getLong()));
    }
    return new Order(number, time, customer, items);
  }

  /** Returns all orders: no filter knows where the time is. */
  @Override
  public Scan scan(LocalDate day) {
    return new Scan();
  }

  @Override
  public boolean isOf(Result row, LocalDate day) {
    long millis = row.getValueAsByteBuffer(Columns.FAMILY, VALUE).getLong();
    return Order.day(Instant.ofEpochMilli(millis)).equals(day);
  }
}
