package dev.cairn.bench.index;

import dev.cairn.engine.scan.IndexHint;
import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table of rows with a column for each kind of query, and a value of 100 bytes. Thread-safe.
 *
 * <p>Row keys are evenly spread over 32 bits, so that regions and buckets have about as many rows.
 */
final class IndexedTable {
  /** The family. */
  static final byte[] FAMILY = Bytes.toBytes("f");

  private static final byte[] PAYLOAD = Bytes.toBytes("payload");
  private static final int PAYLOAD_BYTES = 100;

  private final Connection connection;
  private final TableName name;

  IndexedTable(Connection connection, String name) {
    this.connection = connection;
    this.name = TableName.valueOf(name);
  }

  TableName name() {
    return name;
  }

  /**
   * Creates the table anew.
   *
   * @param regions the number of its regions
   * @param indexes the columns to index
   */
  void create(int regions, String... indexes) throws IOException {
    TableDescriptorBuilder builder =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY));
    for (String column : indexes) {
      builder.setValue("cairn.index." + column, "f:" + column);
    }
    byte[][] splits = new byte[regions - 1][];
    for (int i = 1; i < regions; i++) {
      splits[i - 1] = key((1L << Integer.SIZE) * i / regions);
    }
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(builder.build(), splits);
    }
  }

  void drop() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.disableTable(name);
      admin.deleteTable(name);
    }
  }

  /** A column whose values are numbers below a limit. */
  record Column(String name, int values) {
    byte[] qualifier() {
      return Bytes.toBytes(name);
    }

    /** Returns a value; each is as frequent as the others. */
    byte[] value(int number) {
      return Bytes.toBytes("value%09d".formatted(number));
    }
  }

  /** Puts rows with random values, and flushes them. */
  void load(int rows, Column... columns) throws IOException {
    Random random = new Random(1);
    byte[] payload = new byte[PAYLOAD_BYTES];
    try (BufferedMutator mutator = connection.getBufferedMutator(name);
        Admin admin = connection.getAdmin()) {
      for (int i = 0; i < rows; i++) {
        Put put = new Put(key((1L << Integer.SIZE) * i / rows));
        for (Column column : columns) {
          put.addColumn(FAMILY, column.qualifier(), column.value(random.nextInt(column.values())));
        }
        random.nextBytes(payload);
        mutator.mutate(put.addColumn(FAMILY, PAYLOAD, payload));
      }
      mutator.flush();
      admin.flush(name);
    }
  }

  private static byte[] key(long number) {
    return Bytes.toBytes("%010d".formatted(number));
  }

  /** Returns a scan for the rows with a value of a column. */
  static Scan where(Column column, int value, IndexHint hint) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(
            FAMILY, column.qualifier(), CompareOperator.EQUAL, column.value(value));
    filter.setFilterIfMissing(true);
    Scan scan = new Scan().setFilter(filter).setCaching(10_000);
    scan.setAttribute(IndexHint.ATTRIBUTE, Bytes.toBytes(hint.name()));
    return scan;
  }
}
