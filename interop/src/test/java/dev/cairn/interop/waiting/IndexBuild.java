package dev.cairn.interop.waiting;

import dev.cairn.engine.index.TableIndexes;
import dev.cairn.engine.index.TableIndexes.Index;
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
    List<Index> indexes = indexes(admin.getDescriptor(table));
    Eventually.holds(
        () -> {
          List<Optional<RegionLoad>> loads = loads(admin, table);
          return indexes.stream()
              .map(index -> IndexProgress.of(index, loads))
              .allMatch(
                  progress ->
                      progress.completeRegions() == regions && progress.indexedFiles() >= files);
        },
        "the indexes of " + table + " are built");
  }

  private static List<Index> indexes(TableDescriptor table) {
    Map<String, String> attributes = new HashMap<>();
    table
        .getValues()
        .forEach(
            (key, value) ->
                attributes.put(Bytes.toString(key.get()), Bytes.toString(value.copyBytes())));
    return TableIndexes.of(attributes, table.getColumnFamilyNames()).all();
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
