package dev.cairn.coprocessor.master;

import dev.cairn.coprocessor.environment.ServerEnvironment;
import dev.cairn.server.master.hook.MasterHooks.Body;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.MasterSwitchType;
import org.apache.hadoop.hbase.master.MasterCoprocessorHost;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.UpdateConfigurationRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ClearDeadServersRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ClearDeadServersResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DecommissionRegionServersRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.FlushMasterStoreRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetClusterStatusRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetClusterStatusResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListDecommissionedRegionServersRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.RecommissionRegionServerRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetBalancerRunningRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetBalancerRunningResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetSplitOrMergeEnabledRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetSplitOrMergeEnabledResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ShutdownRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.StopMasterRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ReplicationProtos.ListReplicationPeersRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** The hooks around the methods about servers, switches and the cluster as a whole. */
record ServerCalls(MasterCoprocessorHost host, ServerEnvironment environment) {
  void register(MasterCalls calls) {
    calls.on(
        "ClearDeadServers",
        ClearDeadServersRequest.class,
        this::clear,
        "preClearDeadServers",
        "postClearDeadServers");
    calls.on(
        "DecommissionRegionServers",
        DecommissionRegionServersRequest.class,
        "preDecommissionRegionServers",
        r ->
            host.preDecommissionRegionServers(
                ProtobufUtil.toServerNameList(r.getServerNameList()), r.getOffload()),
        "postDecommissionRegionServers",
        r ->
            host.postDecommissionRegionServers(
                ProtobufUtil.toServerNameList(r.getServerNameList()), r.getOffload()));
    calls.on(
        "ListDecommissionedRegionServers",
        ListDecommissionedRegionServersRequest.class,
        "preListDecommissionedRegionServers",
        r -> host.preListDecommissionedRegionServers(),
        "postListDecommissionedRegionServers",
        r -> host.postListDecommissionedRegionServers());
    calls.on(
        "RecommissionRegionServer",
        RecommissionRegionServerRequest.class,
        "preRecommissionRegionServer",
        r ->
            host.preRecommissionRegionServer(
                ProtobufUtil.toServerName(r.getServerName()), regions(r)),
        "postRecommissionRegionServer",
        r ->
            host.postRecommissionRegionServer(
                ProtobufUtil.toServerName(r.getServerName()), regions(r)));
    calls.<GetClusterStatusRequest, GetClusterStatusResponse>on(
        "GetClusterStatus",
        GetClusterStatusRequest.class,
        (r, body) -> {
          host.preGetClusterMetrics();
          GetClusterStatusResponse response = body.run(r);
          host.postGetClusterMetrics(
              ClusterMetricsBuilder.toClusterMetrics(response.getClusterStatus()));
          return response;
        },
        "preGetClusterMetrics",
        "postGetClusterMetrics");
    registerSwitches(calls);
    registerCluster(calls);
  }

  private void registerSwitches(MasterCalls calls) {
    calls.<SetBalancerRunningRequest, SetBalancerRunningResponse>on(
        "SetBalancerRunning",
        SetBalancerRunningRequest.class,
        (r, body) -> {
          host.preBalanceSwitch(r.getOn());
          SetBalancerRunningResponse response = body.run(r);
          host.postBalanceSwitch(response.getPrevBalanceValue(), r.getOn());
          return response;
        },
        "preBalanceSwitch",
        "postBalanceSwitch");
    calls.on(
        "SetSplitOrMergeEnabled",
        SetSplitOrMergeEnabledRequest.class,
        this::setShapes,
        "preSetSplitOrMergeEnabled",
        "postSetSplitOrMergeEnabled");
  }

  private void registerCluster(MasterCalls calls) {
    calls.on(
        "FlushMasterStore",
        FlushMasterStoreRequest.class,
        "preMasterStoreFlush",
        r -> host.preMasterStoreFlush(),
        "postMasterStoreFlush",
        r -> host.postMasterStoreFlush());
    calls.on(
        "ListReplicationPeers",
        ListReplicationPeersRequest.class,
        "preListReplicationPeers",
        r -> host.preListReplicationPeers(r.hasRegex() ? r.getRegex() : null),
        "postListReplicationPeers",
        r -> host.postListReplicationPeers(r.hasRegex() ? r.getRegex() : null));
    calls.on(
        "AdminService.UpdateConfiguration",
        UpdateConfigurationRequest.class,
        "preUpdateMasterConfiguration",
        r -> host.preUpdateConfiguration(environment.current()),
        "postUpdateMasterConfiguration",
        r -> host.postUpdateConfiguration(environment.current()));
    calls.<StopMasterRequest, Message>on(
        "StopMaster",
        StopMasterRequest.class,
        (r, body) -> {
          host.preStopMaster();
          return body.run(r);
        },
        "preStopMaster");
    calls.<ShutdownRequest, Message>on(
        "Shutdown",
        ShutdownRequest.class,
        (r, body) -> {
          host.preShutdown();
          return body.run(r);
        },
        "preShutdown");
  }

  private ClearDeadServersResponse clear(
      ClearDeadServersRequest request, Body<ClearDeadServersRequest, ClearDeadServersResponse> body)
      throws IOException {
    host.preClearDeadServers();
    ClearDeadServersResponse response = body.run(request);
    List<ServerName> asked = ProtobufUtil.toServerNameList(request.getServerNameList());
    host.postClearDeadServers(asked, ProtobufUtil.toServerNameList(response.getServerNameList()));
    return response;
  }

  private static List<byte[]> regions(RecommissionRegionServerRequest request) {
    return request.getRegionList().stream().map(region -> region.getValue().toByteArray()).toList();
  }

  /**
   * Sets the switches one after the other, each with its hooks, as HBase does. If a hook fails, the
   * switches before it stay set.
   */
  private SetSplitOrMergeEnabledResponse setShapes(
      SetSplitOrMergeEnabledRequest request,
      Body<SetSplitOrMergeEnabledRequest, SetSplitOrMergeEnabledResponse> body)
      throws IOException {
    List<Boolean> before = new ArrayList<>();
    for (MasterProtos.MasterSwitchType type : request.getSwitchTypesList()) {
      MasterSwitchType shown = MasterSwitchType.valueOf(type.name());
      host.preSetSplitOrMergeEnabled(request.getEnabled(), shown);
      SetSplitOrMergeEnabledRequest one =
          request.toBuilder().clearSwitchTypes().addSwitchTypes(type).build();
      before.addAll(body.run(one).getPrevValueList());
      host.postSetSplitOrMergeEnabled(request.getEnabled(), shown);
    }
    return SetSplitOrMergeEnabledResponse.newBuilder().addAllPrevValue(before).build();
  }
}
