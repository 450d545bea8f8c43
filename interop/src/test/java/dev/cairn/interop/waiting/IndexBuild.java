package dev.cairn.interop.waiting;

import dev.cairn.server.catalog.IndexProgress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetRegionLoadRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;

/** Waits until the indexes of a table are built. */
public final class IndexBuild {
  private IndexBuild() {}

  /**
   * Returns once all regions of a table report that all their files have all indexes of the table.
   *
   * @param files the least number of files that have each index
   */
  public static void await(Admin admin, TableName table, int files) throws IOException {
    int regions = admin.getRegions(table).size();
    TableDescriptor descriptor = admin.getDescriptor(table);
    Map<String, String> attributes = attributes(descriptor);
    Eventually.holds(
        () -> {
          List<IndexProgress> indexes =
              IndexProgress.ofTable(
                  attributes, descriptor.getColumnFamilyNames(), loads(admin, table));
          return indexes.stream()
              .allMatch(
                  index -> index.completeRegions() == regions && index.indexedFiles() >= files);
        },
        "the indexes of " + table + " are built");
  }

  private static Map<String, String> attributes(TableDescriptor table) {
    Map<String, String> attributes = new HashMap<>();
    table
        .getValues()
        .forEach(
            (key, value) ->
                attributes.put(Bytes.toString(key.get()), Bytes.toString(value.copyBytes())));
    return attributes;
  }

  private static List<Optional<RegionLoad>> loads(Admin admin, TableName table)
      throws IOException, ServiceException {
    List<Optional<RegionLoad>> loads = new ArrayList<>();
    for (ServerName server : admin.getRegionServers()) {
      ((ClusterConnection) admin.getConnection())
          .getAdmin(server)
          .getRegionLoad(
              null,
              GetRegionLoadRequest.newBuilder()
                  .setTableName(ProtobufUtil.toProtoTableName(table))
                  .build())
          .getRegionLoadsList()
          .forEach(load -> loads.add(Optional.of(load)));
    }
    return loads;
  }
}
