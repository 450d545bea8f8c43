package dev.cairn.server.master.service;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.ActiveMaster;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.Option;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.LogRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ClearDeadServersRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ClearDeadServersResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetClusterStatusRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetClusterStatusResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsInMaintenanceModeRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsInMaintenanceModeResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsMasterRunningRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsMasterRunningResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SecurityCapabilitiesRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SecurityCapabilitiesResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SecurityCapabilitiesResponse.Capability;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ShutdownRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ShutdownResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.StopMasterRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.StopMasterResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ReplicationProtos.ListReplicationPeersRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ReplicationProtos.ListReplicationPeersResponse;

/** The methods of {@code MasterService} about the cluster and its servers. */
final class ClusterMethods {
  private ClusterMethods() {}

  static void register(MethodGroup rpc) {
    MasterGate gate = rpc.gate();
    rpc.cluster("IsMasterRunning", IsMasterRunningRequest.getDefaultInstance())
        .askEarly(
            (master, r) -> IsMasterRunningResponse.newBuilder().setIsMasterRunning(true).build());
    rpc.cluster("GetClusterStatus", GetClusterStatusRequest.getDefaultInstance())
        .handle(
            (call, r) -> {
              List<Option> options = r.getOptionsList();
              MasterGate.Question<GetClusterStatusResponse> question =
                  master ->
                      GetClusterStatusResponse.newBuilder()
                          .setClusterStatus(ClusterReport.of(gate.master(), master, options))
                          .build();
              return options.isEmpty() || options.contains(Option.LIVE_SERVERS)
                  ? RegionLoads.ask(gate, call, question)
                  : gate.ask(call, question);
            });
    rpc.cluster("Shutdown", ShutdownRequest.getDefaultInstance())
        .handle(
            (call, r) -> {
              gate.requireLeading(call); // otherwise the active one would undo it
              gate.master().context().coordination().publishClusterUp(false);
              call.afterAnswer(gate.master().context().lifecycle()::stopCluster);
              return ShutdownResponse.getDefaultInstance();
            });
    rpc.cluster("StopMaster", StopMasterRequest.getDefaultInstance())
        .handle(
            (call, r) -> {
              // A client that misses the answer asks again, and would stop the next master.
              call.afterAnswer(gate.master().context().lifecycle()::stopMaster);
              return StopMasterResponse.getDefaultInstance();
            });
    rpc.cluster("IsMasterInMaintenanceMode", IsInMaintenanceModeRequest.getDefaultInstance())
        .handle(
            (call, r) ->
                IsInMaintenanceModeResponse.newBuilder().setInMaintenanceMode(false).build());
    rpc.cluster("getSecurityCapabilities", SecurityCapabilitiesRequest.getDefaultInstance())
        .handle(
            (call, r) ->
                SecurityCapabilitiesResponse.newBuilder()
                    .addCapabilities(Capability.SIMPLE_AUTHENTICATION)
                    .build());
    rpc.cluster("ClearDeadServers", ClearDeadServersRequest.getDefaultInstance())
        .ask(ClusterMethods::clearDead);
    // There are no replication peers; a request that creates one is refused.
    rpc.cluster("ListReplicationPeers", ListReplicationPeersRequest.getDefaultInstance())
        .handle((call, r) -> ListReplicationPeersResponse.getDefaultInstance());
    rpc.cluster("GetLogEntries", LogRequest.getDefaultInstance())
        .ask((master, r) -> BalancerLogs.of(master.balancer().log()).find(r));
  }

  /** Forgets dead servers, and removes them from their groups. Returns those that are kept. */
  static ClearDeadServersResponse clearDead(ActiveMaster master, ClearDeadServersRequest request) {
    List<ServerName> wanted = request.getServerNameList().stream().map(ServerName::of).toList();
    wanted.forEach(master.servers()::forgetDead);
    List<ServerName> kept = wanted.stream().filter(master.servers()::isKnown).toList();
    master.groups().forget(wanted.stream().filter(server -> !kept.contains(server)).toList());
    return ClearDeadServersResponse.newBuilder()
        .addAllServerName(kept.stream().map(ServerName::message).toList())
        .build();
  }
}
