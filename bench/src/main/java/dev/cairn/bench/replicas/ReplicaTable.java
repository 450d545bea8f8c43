package dev.cairn.bench.replicas;

import java.io.IOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table with one region.
 *
 * @param replicas the number of replicas, without the region itself
 */
record ReplicaTable(TableName name, int replicas) {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final byte[] QUALIFIER = Bytes.toBytes("q");

  /** Creates a table whose region is at a server. */
  static ReplicaTable create(Connection connection, int replicas, ServerName server)
      throws IOException {
    ReplicaTable table = new ReplicaTable(TableName.valueOf("replicas" + replicas), replicas);
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(table.name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .setRegionReplication(replicas + 1)
              .setSplitEnabled(false)
              .build());
      HRegionLocation region = table.region(connection);
      if (!region.getServerName().equals(server)) {
        admin.move(region.getRegion().getEncodedNameAsBytes(), server);
      }
    }
    return table;
  }

  /** Returns where the region is. */
  HRegionLocation region(Connection connection) throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(name)) {
      return locator.getRegionLocation(new byte[0], true);
    }
  }

  /** Returns how many replicas are at other servers than the region and each other. */
  int replicasApart(Connection connection) throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(name)) {
      return (int)
              locator.getRegionLocations(new byte[0], true).stream()
                  .filter(location -> location != null && location.getServerName() != null)
                  .map(HRegionLocation::getServerName)
                  .distinct()
                  .count()
          - 1;
    }
  }
}
