package dev.cairn.coprocessor.convert;

import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.Messages;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;

/** Converts what the master's hooks are given to HBase's types. */
public final class MasterValues {
  private MasterValues() {}

  /** Converts a region. */
  public static RegionInfo region(dev.cairn.engine.schema.RegionInfo region) {
    return ProtobufUtil.toRegionInfo(Messages.message(region));
  }

  /** Converts regions. */
  public static RegionInfo[] regions(List<HBaseProtos.RegionInfo> regions) {
    return regions.stream().map(ProtobufUtil::toRegionInfo).toArray(RegionInfo[]::new);
  }

  /** Converts a server. */
  public static ServerName server(dev.cairn.server.catalog.ServerName server) {
    return ServerName.valueOf(server.host(), server.port(), server.startCode());
  }

  /** Converts a table's descriptor. */
  public static TableDescriptor table(TableSchema schema) {
    return ProtobufUtil.toTableDescriptor(schema.message());
  }
}
