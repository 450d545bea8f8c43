package dev.cairn.studies.order;

import dev.cairn.keys.KeyFormat;
import dev.cairn.keys.KeyValues;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/** Items as columns: the qualifier has the number of the item and the name of the field. */
final class ColumnsOfItems implements OrderCells {
  private static final byte[] ITEMS = Bytes.toBytes("i");
  private static final KeyFormat QUALIFIERS = KeyFormat.parse("item ushort, field string");
  private static final String PRODUCT = "product";
  private static final String QUANTITY = "quantity";
  private static final String CENTS = "cents";
  private static final int FIELDS = 3;

  @Override
  public String layout() {
    return "f:time, i:(" + QUALIFIERS + ")";
  }

  @Override
  public byte[][] families() {
    return new byte[][] {Columns.FAMILY, ITEMS};
  }

  @Override
  public Put add(Put put, Order order) {
    for (int i = 0; i < order.items().size(); i++) {
      Item item = order.items().get(i);
      addField(put, i, PRODUCT, item.product());
      addField(put, i, QUANTITY, item.quantity());
      addField(put, i, CENTS, item.cents());
    }
    return Columns.addTime(put, order.time());
  }

  private static void addField(Put put, int item, String field, long value) {
    put.addColumn(ITEMS, QUALIFIERS.encode(item, field), Bytes.toBytes(value));
  }

  @Override
  public Order read(long number, Customer customer, Result row) {
    List<long[]> fields = new ArrayList<>();
    for (Map.Entry<byte[], byte[]> cell : row.getFamilyMap(ITEMS).entrySet()) {
      KeyValues qualifier = QUALIFIERS.decode(cell.getKey());
      if (qualifier.getInt("item") == fields.size()) {
        fields.add(new long[FIELDS]);
      }
      fields.get(qualifier.getInt("item"))[field(qualifier.getString("field"))] =
          Bytes.toLong(cell.getValue());
    }
    List<Item> items = fields.stream().map(one -> new Item(one[0], one[1], one[2])).toList();
    return new Order(number, Columns.time(row), customer, items);
  }

  private static int field(String name) {
    return List.of(PRODUCT, QUANTITY, CENTS).indexOf(name);
  }

  @Override
  public Scan scan(LocalDate day) {
    return new Scan().addFamily(Columns.FAMILY).setFilter(Columns.ofDay(day));
  }

  @Override
  public boolean isOf(Result row, LocalDate day) {
    return true;
  }
}
