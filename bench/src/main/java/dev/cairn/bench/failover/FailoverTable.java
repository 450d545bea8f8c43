package dev.cairn.bench.failover;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** The table of a measurement, with its regions spread over the servers. */
final class FailoverTable {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final int VALUE_BYTES = 1000;
  private static final int ROWS_PER_MEGABYTE = 1000;

  private final Connection connection;
  private final TableName name;
  private final int regions;
  private final int replicas;

  private FailoverTable(Connection connection, TableName name, int regions, int replicas) {
    this.connection = connection;
    this.name = name;
    this.regions = regions;
    this.replicas = replicas;
  }

  /**
   * Makes a table, and spreads its regions evenly over the region servers.
   *
   * @param replicas the copies of each region, itself counted
   */
  static FailoverTable create(Connection connection, String name, int regions, int replicas)
      throws IOException {
    FailoverTable table = new FailoverTable(connection, TableName.valueOf(name), regions, replicas);
    byte[][] splits = new byte[regions - 1][];
    for (int i = 1; i < regions; i++) {
      splits[i - 1] = Bytes.toBytes(table.prefix(i));
    }
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(table.name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .setRegionReplication(replicas)
              .build(),
          splits);
      List<ServerName> servers = admin.getRegionServers().stream().sorted().toList();
      for (int i = 0; i < regions; i++) {
        ServerName wanted = servers.get(i % servers.size());
        if (!table.server(i).equals(wanted)) {
          admin.move(table.region(i), wanted);
        }
      }
    }
    return table;
  }

  TableName name() {
    return name;
  }

  int regions() {
    return regions;
  }

  boolean hasReplicas() {
    return replicas > 1;
  }

  /** Returns the encoded name of a region. */
  byte[] region(int index) throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(name)) {
      return locator
          .getRegionLocation(Bytes.toBytes(prefix(index)), true)
          .getRegion()
          .getEncodedNameAsBytes();
    }
  }

  /** Returns the server of a region. */
  ServerName server(int index) throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(name)) {
      return locator.getRegionLocation(Bytes.toBytes(prefix(index)), true).getServerName();
    }
  }

  /** Returns the server of {@code hbase:meta}. */
  ServerName metaServer() throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(TableName.META_TABLE_NAME)) {
      return locator.getRegionLocation(HConstants.EMPTY_START_ROW, true).getServerName();
    }
  }

  /**
   * Returns a server with regions of this table.
   *
   * @param meta the server of {@code hbase:meta}, which is returned only if there is no other
   */
  ServerName serverBeside(ServerName meta) throws IOException {
    for (int i = 0; i < regions; i++) {
      ServerName server = server(i);
      if (!server.equals(meta)) {
        return server;
      }
    }
    return meta;
  }

  /** Writes rows of 1,000 bytes evenly into all regions. Nothing is flushed on purpose. */
  void fill(int megabytes) throws IOException {
    byte[] value = new byte[VALUE_BYTES];
    new Random(1).nextBytes(value);
    try (BufferedMutator mutator = connection.getBufferedMutator(name)) {
      for (int i = 0; i < rows(megabytes); i++) {
        mutator.mutate(new Put(row(i)).addColumn(FAMILY, QUALIFIER, value));
      }
    }
  }

  /** Returns how many rows {@link #fill} writes. */
  int rows(int megabytes) {
    return megabytes * ROWS_PER_MEGABYTE;
  }

  /**
   * Returns one of the rows that {@link #fill} writes; it is in region {@code number % regions}.
   */
  byte[] row(int number) {
    return Bytes.toBytes(prefix(number % regions) + "-%08d".formatted(number));
  }

  /** Returns a writer for each region; none is started. */
  List<RegionWriter> writers() {
    List<RegionWriter> writers = new ArrayList<>();
    for (int i = 0; i < regions; i++) {
      writers.add(new RegionWriter(connection, name, prefix(i) + "-w"));
    }
    return writers;
  }

  /** Drops the table. */
  void drop() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.disableTable(name);
      admin.deleteTable(name);
    }
  }

  private String prefix(int region) {
    return "%04d".formatted(region);
  }
}
