package dev.cairn.server.master.service;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.ddl.ShapeRequests.Requester;
import dev.cairn.server.master.ddl.TruncateRegionProcedure;
import dev.cairn.server.master.procedure.ProcedureRecord.Nonce;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.rpc.service.RpcService;
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

  static void register(RpcService.Builder service, MasterGate gate) {
    service
        .on(
            "SplitRegion",
            SplitTableRegionRequest.getDefaultInstance(),
            (call, request) ->
                CallSubject.region(Messages.regionInfo(request.getRegionInfo()).regionName()),
            (call, request) ->
                SplitTableRegionResponse.newBuilder().setProcId(split(gate, call, request)).build())
        .on(
            "MergeTableRegions",
            MergeTableRegionsRequest.getDefaultInstance(),
            (call, request) -> CallSubject.regions(request.getRegionList()),
            (call, request) ->
                MergeTableRegionsResponse.newBuilder()
                    .setProcId(merge(gate, call, request))
                    .build())
        .on(
            "TruncateRegion",
            TruncateRegionRequest.getDefaultInstance(),
            (call, request) ->
                CallSubject.region(Messages.regionInfo(request.getRegionInfo()).regionName()),
            (call, request) -> {
              RegionInfo region = Messages.regionInfo(request.getRegionInfo());
              long id =
                  gate.submit(
                      call,
                      request.getNonceGroup(),
                      request.getNonce(),
                      master ->
                          new TruncateRegionProcedure(master.environment(), call.user(), region));
              return TruncateRegionResponse.newBuilder().setProcId(id).build();
            });
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
