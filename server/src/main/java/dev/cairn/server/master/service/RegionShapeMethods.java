package dev.cairn.server.master.service;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.ddl.ShapeRequests.Requester;
import dev.cairn.server.master.ddl.TruncateRegionProcedure;
import dev.cairn.server.master.procedure.ProcedureRecord.Nonce;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.RpcCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MergeTableRegionsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MergeTableRegionsResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SplitTableRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SplitTableRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.TruncateRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.TruncateRegionResponse;

/** The methods of {@code MasterService} that split, merge and empty regions. */
final class RegionShapeMethods {
  private RegionShapeMethods() {}

  static void register(MethodGroup rpc) {
    rpc.about(
            "SplitRegion",
            SplitTableRegionRequest.getDefaultInstance(),
            (call, r) -> CallSubject.region(Messages.regionInfo(r.getRegionInfo()).regionName()))
        .handle(
            r -> Nonce.of(r.getNonceGroup(), r.getNonce()),
            (call, r) ->
                SplitTableRegionResponse.newBuilder()
                    .setProcId(split(rpc.gate(), call, r))
                    .build());
    rpc.regions(
            "MergeTableRegions",
            MergeTableRegionsRequest.getDefaultInstance(),
            r -> r.getRegionList())
        .handle(
            r -> Nonce.of(r.getNonceGroup(), r.getNonce()),
            (call, r) ->
                MergeTableRegionsResponse.newBuilder()
                    .setProcId(merge(rpc.gate(), call, r))
                    .build());
    rpc.about(
            "TruncateRegion",
            TruncateRegionRequest.getDefaultInstance(),
            (call, r) -> CallSubject.region(Messages.regionInfo(r.getRegionInfo()).regionName()))
        .nonce(r -> Nonce.of(r.getNonceGroup(), r.getNonce()))
        .submit(
            (master, user, r) ->
                new TruncateRegionProcedure(
                    master.procedureContext(), user, Messages.regionInfo(r.getRegionInfo())),
            id -> TruncateRegionResponse.newBuilder().setProcId(id).build());
  }

  private static long split(MasterGate gate, RpcCall call, SplitTableRegionRequest request)
      throws IOException {
    RegionInfo region = Messages.regionInfo(request.getRegionInfo());
    Optional<byte[]> row =
        Optional.of(request.getSplitRow().toByteArray()).filter(bytes -> bytes.length > 0);
    Requester requester = requester(call, request.getNonceGroup(), request.getNonce());
    return gate.<Long>request(
        call, (master, future) -> master.shapes().split(region, row, requester, future));
  }

  private static long merge(MasterGate gate, RpcCall call, MergeTableRegionsRequest request)
      throws IOException {
    Requester requester = requester(call, request.getNonceGroup(), request.getNonce());
    return gate.<Long>request(
        call,
        (master, future) -> {
          List<RegionInfo> regions = new ArrayList<>();
          for (RegionSpecifier specifier : request.getRegionList()) {
            regions.add(RegionMethods.require(master, specifier).region());
          }
          master.shapes().merge(regions, request.getForcible(), requester, future);
        });
  }

  private static Requester requester(RpcCall call, long nonceGroup, long nonce) {
    return new Requester(call.user(), Nonce.of(nonceGroup, nonce));
  }
}
