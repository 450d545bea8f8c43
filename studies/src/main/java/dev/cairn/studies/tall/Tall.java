package dev.cairn.studies.tall;

import dev.cairn.keys.KeyFormat;
import dev.cairn.keys.KeyValues;
import dev.cairn.studies.FactWriter;
import dev.cairn.studies.MutatorWriter;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.Scans;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A row for each item.
 *
 * @param encoding of the blocks
 */
record Tall(DataBlockEncoding encoding) implements ItemDesign {
  private static final TableName TABLE = TableName.valueOf("items_tall");
  private static final KeyFormat KEYS = KeyFormat.parse("user string, time timestamp desc");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] TEXT = Bytes.toBytes("t");

  @Override
  public String name() {
    return encoding == DataBlockEncoding.NONE ? "tall" : "tall, " + encoding;
  }

  @Override
  public String layout() {
    return KEYS + ": f:t";
  }

  @Override
  public List<NewTable> tables(long facts) {
    ColumnFamilyDescriptor family =
        ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setDataBlockEncoding(encoding).build();
    return List.of(NewTable.of(TABLE, family, KEYS));
  }

  @Override
  public FactWriter<Item> writer(Connection connection) throws IOException {
    return new MutatorWriter<>(
        connection,
        TABLE,
        item ->
            new Put(KEYS.encode(item.user(), item.time()))
                .addColumn(FAMILY, TEXT, Bytes.toBytes(item.text())));
  }

  @Override
  public List<Item> one(Connection connection, Ask.One asked) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      Result row = table.get(new Get(KEYS.encode(asked.user(), asked.time())));
      return row.isEmpty() ? List.of() : List.of(item(row));
    }
  }

  private static Item item(Result row) {
    KeyValues key = KEYS.decode(row.getRow());
    return new Item(
        key.getString("user"), key.getInstant("time"), Bytes.toString(row.getValue(FAMILY, TEXT)));
  }

  /** Reads the rows before the page, too: there is no index by number. */
  @Override
  public List<Item> page(Connection connection, Ask.Page asked) throws IOException {
    int rows = asked.offset() + asked.limit();
    Scan scan = Scans.of(KEYS.range(asked.user()).get(0)).setLimit(rows);
    List<Item> items = Scans.list(connection, TABLE, scan, Tall::item);
    return items.subList(Math.min(asked.offset(), items.size()), items.size());
  }

  @Override
  public List<Item> period(Connection connection, Ask.Period asked) throws IOException {
    var range = KEYS.range(List.of(asked.user()), asked.from(), asked.to()).get(0);
    return Scans.list(connection, TABLE, Scans.of(range), Tall::item);
  }

  @Override
  public List<Item> all(Connection connection, String user) throws IOException {
    return Scans.list(connection, TABLE, Scans.of(KEYS.range(user).get(0)), Tall::item);
  }
}
