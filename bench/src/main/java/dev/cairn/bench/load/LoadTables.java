package dev.cairn.bench.load;

import java.io.IOException;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** The tables: one family each, with HBase's default settings. */
final class LoadTables {
  private static final String YCSB_PREFIX = "user";

  /** YCSB's keys are the prefix and a number below 2^63, most of them of 19 digits. */
  private static final long YCSB_MIN = 1_000_000_000_000_000_000L;

  private final Connection connection;
  private final byte[] family;

  LoadTables(Connection connection, byte[] family) {
    this.connection = connection;
    this.family = family;
  }

  /** Creates an empty table of so many regions, which YCSB's keys fill alike. */
  void createAnew(TableName name, int regions) throws IOException {
    drop(name);
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family))
            .build();
    try (Admin admin = connection.getAdmin()) {
      if (regions == 1) {
        admin.createTable(table);
      } else {
        admin.createTable(table, splits(regions));
      }
    }
  }

  /** Removes a table, if it is there. */
  void drop(TableName name) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      if (admin.tableExists(name)) {
        admin.disableTable(name);
        admin.deleteTable(name);
      }
    }
  }

  /** Returns a key between the first and the last of YCSB's, any of them. */
  static String anyYcsbKey(SplittableRandom random) {
    return YCSB_PREFIX + random.nextLong(YCSB_MIN, Long.MAX_VALUE);
  }

  static byte[][] splits(int regions) {
    byte[][] splits = new byte[regions - 1][];
    long step = (Long.MAX_VALUE - YCSB_MIN) / regions;
    for (int i = 1; i < regions; i++) {
      splits[i - 1] = Bytes.toBytes(YCSB_PREFIX + (YCSB_MIN + i * step));
    }
    return splits;
  }
}
