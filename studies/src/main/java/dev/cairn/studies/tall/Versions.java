package dev.cairn.studies.tall;

import dev.cairn.keys.KeyFormat;
import dev.cairn.studies.FactWriter;
import dev.cairn.studies.MutatorWriter;
import dev.cairn.studies.NewTable;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** A row for each user, with one column: a version of its cell for each item. */
record Versions() implements ItemDesign {
  private static final TableName TABLE = TableName.valueOf("items_versions");
  private static final KeyFormat KEYS = KeyFormat.parse("user string");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] TEXT = Bytes.toBytes("t");

  @Override
  public String name() {
    return "versions";
  }

  @Override
  public String layout() {
    return KEYS + ": f:t, the time as the timestamp of a version";
  }

  @Override
  public List<NewTable> tables(long facts) {
    var family =
        ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setMaxVersions(Integer.MAX_VALUE).build();
    return List.of(NewTable.of(TABLE, family, KEYS));
  }

  @Override
  public FactWriter<Item> writer(Connection connection) throws IOException {
    return new MutatorWriter<>(
        connection,
        TABLE,
        item ->
            new Put(KEYS.encode(item.user()))
                .addColumn(FAMILY, TEXT, item.time().toEpochMilli(), Bytes.toBytes(item.text())));
  }

  @Override
  public List<Item> one(Connection connection, Ask.One asked) throws IOException {
    Get get = new Get(KEYS.encode(asked.user())).setTimestamp(asked.time().toEpochMilli());
    return items(connection, asked.user(), get);
  }

  private static List<Item> items(Connection connection, String user, Get get) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      return Arrays.stream(table.get(get).rawCells())
          .map(
              cell ->
                  new Item(
                      user,
                      Instant.ofEpochMilli(cell.getTimestamp()),
                      Bytes.toString(CellUtil.cloneValue(cell))))
          .toList();
    }
  }

  @Override
  public List<Item> page(Connection connection, Ask.Page asked) throws IOException {
    Get get =
        new Get(KEYS.encode(asked.user()))
            .readAllVersions()
            .setRowOffsetPerColumnFamily(asked.offset())
            .setMaxResultsPerColumnFamily(asked.limit());
    return items(connection, asked.user(), get);
  }

  @Override
  public List<Item> period(Connection connection, Ask.Period asked) throws IOException {
    Get get =
        new Get(KEYS.encode(asked.user()))
            .readAllVersions()
            .setTimeRange(asked.from().toEpochMilli(), asked.to().toEpochMilli());
    return items(connection, asked.user(), get);
  }

  @Override
  public List<Item> all(Connection connection, String user) throws IOException {
    return items(connection, user, new Get(KEYS.encode(user)).readAllVersions());
  }
}
