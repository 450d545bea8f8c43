package dev.cairn.bench.memory;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** The tables of the trials, one region each: small rows, wide rows, a stream, large cells. */
final class TrialTables {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final byte[] WIDE_ROW = Bytes.toBytes("wide");
  static final TableName SMALL = TableName.valueOf("small");
  static final int SMALL_ROWS = 1_000;

  private static final int CELLS_AT_ONCE = 10_000;
  private static final int VALUE_BYTES = 20;

  private final Connection connection;

  /** The location of a table's only region. */
  record Place(InetSocketAddress address, RegionSpecifier region) {}

  TrialTables(Connection connection) {
    this.connection = connection;
  }

  /** Creates the tables, and a row of {@code wideCells} cells. */
  void make(int wideCells) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      for (String name : List.of("small", "wide", "stream", "blobs")) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build());
      }
    }
    try (Table small = connection.getTable(SMALL)) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < SMALL_ROWS; i++) {
        puts.add(new Put(smallRow(i)).addColumn(FAMILY, FAMILY, new byte[100]));
      }
      small.put(puts);
    }
    try (Table wide = connection.getTable(TableName.valueOf("wide"))) {
      for (int first = 0; first < wideCells; first += CELLS_AT_ONCE) {
        Put put = new Put(WIDE_ROW);
        for (int i = first; i < Math.min(wideCells, first + CELLS_AT_ONCE); i++) {
          put.addColumn(FAMILY, Bytes.toBytes(i), new byte[VALUE_BYTES]);
        }
        wide.put(put);
      }
    }
  }

  static byte[] smallRow(int number) {
    return Bytes.toBytes(String.format("row%06d", number));
  }

  /** Returns the location of a table. */
  Place find(String table) throws IOException {
    HRegionLocation location =
        connection.getRegionLocator(TableName.valueOf(table)).getRegionLocation(new byte[0], true);
    return new Place(
        new InetSocketAddress(location.getHostname(), location.getPort()),
        RegionSpecifier.newBuilder()
            .setType(RegionSpecifierType.REGION_NAME)
            .setValue(ByteString.copyFrom(location.getRegion().getRegionName()))
            .build());
  }

  /** Flushes all tables. */
  void flush() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      for (TableName table : admin.listTableNames()) {
        admin.flush(table);
      }
    }
  }
}
