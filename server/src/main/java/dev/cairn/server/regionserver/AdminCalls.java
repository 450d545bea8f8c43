package dev.cairn.server.regionserver;

import dev.cairn.server.rpc.RpcService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.AdminService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CloseRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CompactRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CompactionSwitchRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ExecuteProceduresRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.FlushRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetOnlineRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetRegionInfoRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetRegionLoadRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetServerInfoRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.OpenRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.RollWALWriterRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.StopServerRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.GetSpaceQuotaSnapshotsRequest;

/** Wires the methods of {@code AdminService}; those that are not here are refused by name. */
final class AdminCalls {
  private AdminCalls() {}

  /** Returns the service. */
  static RpcService service(
      ServerState state,
      AdminRegionCalls regions,
      AdminServerCalls server,
      AssignmentCalls assignment) {
    ClientCalls.Guard guard = new ClientCalls.Guard(state);
    return RpcService.builder("AdminService", AdminService::getDescriptor)
        .on("GetRegionInfo", GetRegionInfoRequest.getDefaultInstance(), guard.around(regions::info))
        .on(
            "GetOnlineRegion",
            GetOnlineRegionRequest.getDefaultInstance(),
            guard.around(regions::online))
        .on("GetRegionLoad", GetRegionLoadRequest.getDefaultInstance(), guard.around(regions::load))
        .on("FlushRegion", FlushRegionRequest.getDefaultInstance(), guard.around(regions::flush))
        .on(
            "CompactRegion",
            CompactRegionRequest.getDefaultInstance(),
            guard.around(regions::compact))
        .on(
            "CompactionSwitch",
            CompactionSwitchRequest.getDefaultInstance(),
            guard.around(regions::compactionSwitch))
        .on("OpenRegion", OpenRegionRequest.getDefaultInstance(), guard.around(assignment::open))
        .on("CloseRegion", CloseRegionRequest.getDefaultInstance(), guard.around(assignment::close))
        .on(
            "ExecuteProcedures",
            ExecuteProceduresRequest.getDefaultInstance(),
            guard.around(assignment::execute))
        .on("GetServerInfo", GetServerInfoRequest.getDefaultInstance(), guard.around(server::info))
        .on("RollWALWriter", RollWALWriterRequest.getDefaultInstance(), guard.around(server::roll))
        .on("StopServer", StopServerRequest.getDefaultInstance(), guard.around(server::stop))
        .on(
            "GetSpaceQuotaSnapshots",
            GetSpaceQuotaSnapshotsRequest.getDefaultInstance(),
            guard.around(server::quotas))
        .build();
  }
}
