package dev.cairn.coprocessor.master;

import dev.cairn.coprocessor.convert.MasterValues;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.hook.MasterHooks.Body;
import dev.cairn.server.master.hook.MasterView;
import dev.cairn.server.master.hook.MasterView.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.master.MasterCoprocessorHost;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.AssignRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MergeTableRegionsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MergeTableRegionsResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MoveRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MoveRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.OfflineRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SplitTableRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.TruncateRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.UnassignRegionRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * The hooks around the methods about regions. A method whose region is unknown, or may not be split
 * or merged, fails without hooks.
 */
record RegionCalls(MasterCoprocessorHost host, MasterView view) {
  void register(MasterCalls calls) {
    calls.on("MoveRegion", MoveRegionRequest.class, this::move, "preMove", "postMove");
    calls.<AssignRegionRequest, Message>on(
        "AssignRegion",
        AssignRegionRequest.class,
        (r, body) -> about(r, r.getRegion(), body, host::preAssign, host::postAssign),
        "preAssign",
        "postAssign");
    calls.<UnassignRegionRequest, Message>on(
        "UnassignRegion",
        UnassignRegionRequest.class,
        (r, body) -> about(r, r.getRegion(), body, host::preUnassign, host::postUnassign),
        "preUnassign",
        "postUnassign");
    calls.<OfflineRegionRequest, Message>on(
        "OfflineRegion",
        OfflineRegionRequest.class,
        (r, body) -> about(r, r.getRegion(), body, host::preRegionOffline, host::postRegionOffline),
        "preRegionOffline",
        "postRegionOffline");
    calls.<SplitTableRegionRequest, Message>on(
        "SplitRegion",
        SplitTableRegionRequest.class,
        (r, body) -> {
          view.checkSplit(Messages.regionInfo(r.getRegionInfo()));
          host.preSplitRegion(
              ProtobufUtil.toTableName(r.getRegionInfo().getTableName()),
              r.hasSplitRow() ? r.getSplitRow().toByteArray() : null);
          return body.run(r);
        },
        "preSplitRegion");
    calls.on(
        "MergeTableRegions",
        MergeTableRegionsRequest.class,
        this::merge,
        "preMergeRegions",
        "postMergeRegions");
    calls.on(
        "TruncateRegion",
        TruncateRegionRequest.class,
        "preTruncateRegion",
        r -> host.preTruncateRegion(ProtobufUtil.toRegionInfo(r.getRegionInfo())),
        "postTruncateRegion",
        r -> host.postTruncateRegion(ProtobufUtil.toRegionInfo(r.getRegionInfo())));
  }

  private <Q extends Message> Message about(
      Q request,
      RegionSpecifier region,
      Body<Q, Message> body,
      MasterCalls.Hook<RegionInfo> before,
      MasterCalls.Hook<RegionInfo> after)
      throws IOException {
    RegionInfo shown = MasterValues.region(view.region(region.getValue().toByteArray()).region());
    before.call(shown);
    Message response = body.run(request);
    after.call(shown);
    return response;
  }

  /**
   * Moves a region. As in HBase, hooks see the server that is chosen where the request names none,
   * and are not called if the region is there already, or can be nowhere else.
   */
  private MoveRegionResponse move(
      MoveRegionRequest request, Body<MoveRegionRequest, MoveRegionResponse> body)
      throws IOException {
    Place place = view.region(request.getRegion().getValue().toByteArray());
    Optional<ServerName> to =
        request.hasDestServerName()
            ? Optional.of(ProtobufUtil.toServerName(request.getDestServerName()))
            : view.destination(place.region()).map(MasterValues::server);
    Optional<ServerName> from = place.server().map(MasterValues::server);
    if (to.isEmpty() || to.equals(from)) {
      return MoveRegionResponse.getDefaultInstance();
    }
    RegionInfo shown = MasterValues.region(place.region());
    host.preMove(shown, from.orElse(null), to.get());
    MoveRegionResponse response =
        body.run(
            request.toBuilder().setDestServerName(ProtobufUtil.toServerName(to.get())).build());
    host.postMove(shown, from.orElse(null), to.get());
    return response;
  }

  private MergeTableRegionsResponse merge(
      MergeTableRegionsRequest request,
      Body<MergeTableRegionsRequest, MergeTableRegionsResponse> body)
      throws IOException {
    List<dev.cairn.engine.schema.RegionInfo> regions = new ArrayList<>();
    for (RegionSpecifier region : request.getRegionList()) {
      regions.add(view.region(region.getValue().toByteArray()).region());
    }
    if (!regions.isEmpty()) {
      view.checkMerge(regions);
    }
    RegionInfo[] shown = regions.stream().map(MasterValues::region).toArray(RegionInfo[]::new);
    host.preMergeRegions(shown);
    MergeTableRegionsResponse response = body.run(request);
    host.postMergeRegions(shown);
    return response;
  }
}
