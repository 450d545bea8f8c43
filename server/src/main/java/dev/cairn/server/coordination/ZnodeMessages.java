package dev.cairn.server.coordination;

import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerGroup;
import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterIdProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ZooKeeperProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encodes and decodes the contents of HBase's znodes. An unreadable znode is treated as absent, and
 * the log names it.
 */
final class ZnodeMessages {
  private static final Logger LOG = LoggerFactory.getLogger(ZnodeMessages.class);

  /** The version of HBase's protocol between servers; clients only carry it along. */
  private static final int RPC_VERSION = 0;

  /** The writer named in messages that do not belong to one server. */
  private static final String WRITER = "master";

  private ZnodeMessages() {}

  static byte[] master(ServerName self, int infoPort) {
    return ZnodeFormat.encode(
        self.hostAndPort(),
        ZooKeeperProtos.Master.newBuilder()
            .setMaster(self.message())
            .setRpcVersion(RPC_VERSION)
            .setInfoPort(infoPort)
            .build());
  }

  static Optional<ServerName> parseMaster(String znode, byte[] bytes) {
    return parse(
        znode,
        bytes,
        message -> ServerName.of(ZooKeeperProtos.Master.parseFrom(message).getMaster()));
  }

  static byte[] regionServer(ServerName self, int infoPort) {
    Message info =
        HBaseProtos.RegionServerInfo.newBuilder()
            .setInfoPort(infoPort)
            .setVersionInfo(version())
            .build();
    return ZnodeFormat.encode(self.hostAndPort(), info);
  }

  /** Returns the servers that children of a znode are named after. */
  static Set<ServerName> parseServers(List<String> names) {
    Set<ServerName> servers = new HashSet<>();
    for (String name : names) {
      try {
        servers.add(ServerName.parse(name));
      } catch (IllegalArgumentException e) {
        LOG.warn("A znode that names no server is ignored: {}", e.getMessage());
      }
    }
    return servers;
  }

  static byte[] metaLocation(ServerName server) {
    return ZnodeFormat.encode(
        WRITER,
        ZooKeeperProtos.MetaRegionServer.newBuilder()
            .setServer(server.message())
            .setRpcVersion(RPC_VERSION)
            .setState(RegionState.State.OPEN)
            .build());
  }

  static Optional<ServerName> parseMetaLocation(String znode, byte[] bytes) {
    return parse(
        znode,
        bytes,
        message -> ServerName.of(ZooKeeperProtos.MetaRegionServer.parseFrom(message).getServer()));
  }

  static byte[] clusterId(String clusterId) {
    return ZnodeFormat.encode(
        WRITER, ClusterIdProtos.ClusterId.newBuilder().setClusterId(clusterId).build());
  }

  static Optional<String> parseClusterId(String znode, byte[] bytes) {
    return parse(
        znode, bytes, message -> ClusterIdProtos.ClusterId.parseFrom(message).getClusterId());
  }

  static byte[] running(Instant since) {
    return ZnodeFormat.encode(
        WRITER, ZooKeeperProtos.ClusterUp.newBuilder().setStartDate(since.toString()).build());
  }

  static byte[] tableState(TableState.State state) {
    return ZnodeFormat.encode(
        WRITER,
        ZooKeeperProtos.DeprecatedTableState.newBuilder()
            .setState(ZooKeeperProtos.DeprecatedTableState.State.valueOf(state.name()))
            .build());
  }

  static Optional<TableState.State> parseTableState(String znode, byte[] bytes) {
    return parse(
        znode,
        bytes,
        message ->
            TableState.State.valueOf(
                ZooKeeperProtos.DeprecatedTableState.parseFrom(message).getState().name()));
  }

  static byte[] switchedOn() {
    return ZnodeFormat.encode(
        WRITER, ZooKeeperProtos.SwitchState.newBuilder().setEnabled(true).build());
  }

  /** Returns the data of the directory of groups, which has no message. */
  static byte[] groups() {
    return ZnodeFormat.encode(WRITER, HBaseProtos.EmptyMsg.getDefaultInstance());
  }

  static byte[] group(ServerGroup group) {
    return ZnodeFormat.encode(WRITER, group.message());
  }

  static Optional<ServerGroup> parseGroup(String znode, byte[] bytes) {
    return parse(znode, bytes, message -> ServerGroup.parse(Messages.wrap(message)));
  }

  private interface Parser<T> {
    T parse(byte[] message) throws IOException;
  }

  private static <T> Optional<T> parse(String znode, byte[] bytes, Parser<T> parser) {
    try {
      return Optional.of(parser.parse(ZnodeFormat.decode(bytes, znode)));
    } catch (IOException | IllegalArgumentException e) {
      LOG.warn("The znode {} cannot be read and is treated as absent: {}", znode, e.getMessage());
      return Optional.empty();
    }
  }

  private static HBaseProtos.VersionInfo version() {
    return HBaseProtos.VersionInfo.newBuilder()
        .setVersion("2.6.4")
        .setUrl("cairn")
        .setRevision("")
        .setUser("")
        .setDate("")
        .setSrcChecksum("")
        .setVersionMajor(2)
        .setVersionMinor(6)
        .build();
  }
}
