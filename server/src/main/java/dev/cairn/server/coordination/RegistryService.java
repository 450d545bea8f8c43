package dev.cairn.server.coordination;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.rpc.service.CallInterceptor;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcService;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.BootstrapNodeProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos;

/**
 * Answers, for clients that know one server, the questions that they would otherwise ask ZooKeeper:
 * {@code ClientMetaService}, on master and region server alike; {@code BootstrapNodeService} for
 * region servers' own use.
 */
@SuppressWarnings("deprecation") // GetMasters is deprecated, but older clients still call it.
public final class RegistryService {
  private RegistryService() {}

  /**
   * Returns {@code ClientMetaService}.
   *
   * @param state returns the newest state, without waiting
   * @param interceptors stand before all methods
   */
  public static RpcService clientMeta(
      Supplier<ClusterState> state, List<CallInterceptor> interceptors) {
    return RpcService.builder(MethodTables.CLIENT_META, interceptors)
        .later(service -> registerClientMeta(service, state))
        .build();
  }

  private static void registerClientMeta(RpcService.Builder service, Supplier<ClusterState> state) {
    service
        .on(
            "GetClusterId",
            RegistryProtos.GetClusterIdRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) -> {
              RegistryProtos.GetClusterIdResponse.Builder response =
                  RegistryProtos.GetClusterIdResponse.newBuilder();
              state.get().clusterId().ifPresent(response::setClusterId);
              return response.build();
            })
        .on(
            "GetActiveMaster",
            RegistryProtos.GetActiveMasterRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) -> {
              RegistryProtos.GetActiveMasterResponse.Builder response =
                  RegistryProtos.GetActiveMasterResponse.newBuilder();
              state
                  .get()
                  .activeMaster()
                  .map(ServerName::message)
                  .ifPresent(response::setServerName);
              return response.build();
            })
        .on(
            "GetMasters",
            RegistryProtos.GetMastersRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) -> masters(state.get()))
        .on(
            "GetMetaRegionLocations",
            RegistryProtos.GetMetaRegionLocationsRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) -> metaLocations(state.get()))
        .on(
            "GetBootstrapNodes",
            RegistryProtos.GetBootstrapNodesRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) -> {
              RegistryProtos.GetBootstrapNodesResponse.Builder response =
                  RegistryProtos.GetBootstrapNodesResponse.newBuilder();
              state.get().regionServers().stream()
                  .sorted()
                  .map(ServerName::message)
                  .forEach(response::addServerName);
              return response.build();
            });
  }

  /** Returns {@code BootstrapNodeService}. */
  public static RpcService bootstrapNodes(
      Supplier<ClusterState> state, List<CallInterceptor> interceptors) {
    return RpcService.builder(MethodTables.BOOTSTRAP_NODE, interceptors)
        .later(service -> registerBootstrapNodes(service, state))
        .build();
  }

  private static void registerBootstrapNodes(
      RpcService.Builder service, Supplier<ClusterState> state) {
    service.on(
        "GetAllBootstrapNodes",
        BootstrapNodeProtos.GetAllBootstrapNodesRequest.getDefaultInstance(),
        CallSubject::cluster,
        (call, request) -> {
          BootstrapNodeProtos.GetAllBootstrapNodesResponse.Builder response =
              BootstrapNodeProtos.GetAllBootstrapNodesResponse.newBuilder();
          state.get().regionServers().stream()
              .sorted()
              .map(ServerName::message)
              .forEach(response::addNode);
          return response.build();
        });
  }

  private static RegistryProtos.GetMastersResponse masters(ClusterState state) {
    RegistryProtos.GetMastersResponse.Builder response =
        RegistryProtos.GetMastersResponse.newBuilder();
    state.activeMaster().ifPresent(server -> response.addMasterServers(entry(server, true)));
    state.backupMasters().forEach(server -> response.addMasterServers(entry(server, false)));
    return response.build();
  }

  private static RegistryProtos.GetMastersResponseEntry entry(ServerName server, boolean active) {
    return RegistryProtos.GetMastersResponseEntry.newBuilder()
        .setServerName(server.message())
        .setIsActive(active)
        .build();
  }

  private static RegistryProtos.GetMetaRegionLocationsResponse metaLocations(ClusterState state) {
    RegistryProtos.GetMetaRegionLocationsResponse.Builder response =
        RegistryProtos.GetMetaRegionLocationsResponse.newBuilder();
    state
        .metaLocation()
        .ifPresent(server -> response.addMetaLocations(location(RegionInfo.META, server)));
    state
        .metaReplicas()
        .forEach(
            (id, server) ->
                response.addMetaLocations(location(RegionInfo.META.replica(id), server)));
    return response.build();
  }

  private static HBaseProtos.RegionLocation location(RegionInfo region, ServerName server) {
    return HBaseProtos.RegionLocation.newBuilder()
        .setRegionInfo(Messages.message(region))
        .setServerName(server.message())
        .setSeqNum(-1)
        .build();
  }
}
