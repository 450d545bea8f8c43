package dev.cairn.server.master.service;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.rpc.NamedLogs;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.RpcService;
import java.util.List;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.Option;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.LogRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SecurityCapabilitiesResponse.Capability;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ReplicationProtos.ListReplicationPeersRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ReplicationProtos.ListReplicationPeersResponse;

/** The methods of {@code MasterService} about the cluster and its servers. */
final class ClusterMethods {
  /** The balancer's records, which are empty as HBase's are by default. */
  private static final NamedLogs BALANCER_LOGS =
      new NamedLogs(
          "The master",
          List.of(
              new NamedLogs.Log<>(
                  MasterProtos.BalancerDecisionsRequest.getDefaultInstance(),
                  request -> MasterProtos.BalancerDecisionsResponse.getDefaultInstance()),
              new NamedLogs.Log<>(
                  MasterProtos.BalancerRejectionsRequest.getDefaultInstance(),
                  request -> MasterProtos.BalancerRejectionsResponse.getDefaultInstance())));

  private ClusterMethods() {}

  static void register(RpcService.Builder service, MasterGate gate) {
    service
        .on(
            "IsMasterRunning",
            MasterProtos.IsMasterRunningRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                gate.requestEarly(
                    call,
                    (master, future) ->
                        future.complete(
                            MasterProtos.IsMasterRunningResponse.newBuilder()
                                .setIsMasterRunning(true)
                                .build())))
        .on(
            "GetClusterStatus",
            MasterProtos.GetClusterStatusRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) -> {
              List<Option> options = request.getOptionsList();
              MasterGate.Question<MasterProtos.GetClusterStatusResponse> question =
                  master ->
                      MasterProtos.GetClusterStatusResponse.newBuilder()
                          .setClusterStatus(ClusterReport.of(gate.master(), master, options))
                          .build();
              return options.isEmpty() || options.contains(Option.LIVE_SERVERS)
                  ? RegionLoads.ask(gate, call, question)
                  : gate.ask(call, question);
            })
        .on(
            "Shutdown",
            MasterProtos.ShutdownRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) -> {
              gate.requireLeading(call); // otherwise the active one would undo it
              gate.master().world().coordination().publishClusterUp(false);
              call.afterAnswer(gate.master().world().lifecycle()::stopCluster);
              return MasterProtos.ShutdownResponse.getDefaultInstance();
            })
        .on(
            "StopMaster",
            MasterProtos.StopMasterRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) -> {
              // A client that misses the answer asks again, and would stop the next master.
              call.afterAnswer(gate.master().world().lifecycle()::stopMaster);
              return MasterProtos.StopMasterResponse.getDefaultInstance();
            })
        .on(
            "IsMasterInMaintenanceMode",
            MasterProtos.IsInMaintenanceModeRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                MasterProtos.IsInMaintenanceModeResponse.newBuilder()
                    .setInMaintenanceMode(false)
                    .build())
        .on(
            "getSecurityCapabilities",
            MasterProtos.SecurityCapabilitiesRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                MasterProtos.SecurityCapabilitiesResponse.newBuilder()
                    .addCapabilities(Capability.SIMPLE_AUTHENTICATION)
                    .build())
        .on(
            "ListDecommissionedRegionServers",
            MasterProtos.ListDecommissionedRegionServersRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                MasterProtos.ListDecommissionedRegionServersResponse.getDefaultInstance())
        .on(
            "ClearDeadServers",
            MasterProtos.ClearDeadServersRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) -> {
              List<ServerName> cleared =
                  request.getServerNameList().stream().map(ServerName::of).toList();
              return gate.ask(
                  call,
                  master -> {
                    cleared.forEach(master.servers()::forgetDead);
                    return MasterProtos.ClearDeadServersResponse.getDefaultInstance();
                  });
            });
    registerWhatIsNot(service);
    registerEndpoints(service);
  }

  /** Refuses calls to services of master coprocessors, because there are none. */
  private static void registerEndpoints(RpcService.Builder service) {
    service.on(
        "ExecMasterService",
        CoprocessorServiceRequest.getDefaultInstance(),
        CallSubject::cluster,
        (call, request) -> {
          throw new UnknownProtocolException(
              "No registered Master Coprocessor Endpoint found for "
                  + request.getCall().getServiceName()
                  + ". Coprocessors of the master are not supported yet"
                  + " (hbase.coprocessor.master.classes), nor are HBase's features that are"
                  + " coprocessors, such as region server groups (shell: list_rsgroups)");
        });
  }

  /** Of these there are none, and saying so is the truth; whoever makes one is refused. */
  private static void registerWhatIsNot(RpcService.Builder service) {
    service
        .on(
            "ListReplicationPeers",
            ListReplicationPeersRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) -> ListReplicationPeersResponse.getDefaultInstance())
        .on(
            "GetLogEntries",
            LogRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) -> BALANCER_LOGS.find(request));
  }
}
