package dev.cairn.server.regionserver;

import dev.cairn.server.rpc.CallInterceptor;
import dev.cairn.server.rpc.MethodTables;
import dev.cairn.server.rpc.RpcService;
import dev.cairn.server.rpc.SettingsReload;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ClearCompactionQueuesRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ClearRegionBlockCacheRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ClearSlowLogResponseRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CloseRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CompactRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CompactionSwitchRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ExecuteProceduresRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.FlushRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetCachedFilesListRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetOnlineRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetRegionInfoRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetRegionLoadRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetServerInfoRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetStoreFileRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.OpenRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.RollWALWriterRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.SlowLogResponseRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.StopServerRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.UpdateConfigurationRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.WarmupRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.LogRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.GetSpaceQuotaSnapshotsRequest;

/** Wires the methods of {@code AdminService}; those that are not here are refused by name. */
final class AdminCalls {
  private AdminCalls() {}

  /**
   * Returns the service.
   *
   * @param before stands before all methods, the first outermost
   */
  static RpcService service(
      AdminRegionCalls regions,
      AdminServerCalls server,
      AssignmentCalls assignment,
      FileCalls files,
      SlowLogCalls slowLog,
      SettingsReload settings,
      List<CallInterceptor> before) {
    return RpcService.builder(MethodTables.ADMIN)
        .behind(before)
        .on("GetRegionInfo", GetRegionInfoRequest.getDefaultInstance(), regions::info)
        .on("GetOnlineRegion", GetOnlineRegionRequest.getDefaultInstance(), regions::online)
        .on("GetRegionLoad", GetRegionLoadRequest.getDefaultInstance(), regions::load)
        .on("FlushRegion", FlushRegionRequest.getDefaultInstance(), regions::flush)
        .on("CompactRegion", CompactRegionRequest.getDefaultInstance(), regions::compact)
        .on(
            "CompactionSwitch",
            CompactionSwitchRequest.getDefaultInstance(),
            regions::compactionSwitch)
        .on("OpenRegion", OpenRegionRequest.getDefaultInstance(), assignment::open)
        .on("CloseRegion", CloseRegionRequest.getDefaultInstance(), assignment::close)
        .on("ExecuteProcedures", ExecuteProceduresRequest.getDefaultInstance(), assignment::execute)
        .on("GetServerInfo", GetServerInfoRequest.getDefaultInstance(), server::info)
        .on("RollWALWriter", RollWALWriterRequest.getDefaultInstance(), server::roll)
        .on("StopServer", StopServerRequest.getDefaultInstance(), server::stop)
        .on(
            "GetSpaceQuotaSnapshots",
            GetSpaceQuotaSnapshotsRequest.getDefaultInstance(),
            server::quotas)
        .on(
            "ClearCompactionQueues",
            ClearCompactionQueuesRequest.getDefaultInstance(),
            regions::clearCompactions)
        .on("GetStoreFile", GetStoreFileRequest.getDefaultInstance(), files::storeFiles)
        .on(
            "GetCachedFilesList",
            GetCachedFilesListRequest.getDefaultInstance(),
            files::cachedFiles)
        .on(
            "ClearRegionBlockCache",
            ClearRegionBlockCacheRequest.getDefaultInstance(),
            files::clearCache)
        .on("WarmupRegion", WarmupRegionRequest.getDefaultInstance(), files::warmUp)
        .on("UpdateConfiguration", UpdateConfigurationRequest.getDefaultInstance(), settings)
        .on("GetLogEntries", LogRequest.getDefaultInstance(), slowLog::entries)
        .on("GetSlowLogResponses", SlowLogResponseRequest.getDefaultInstance(), slowLog::slow)
        .on("GetLargeLogResponses", SlowLogResponseRequest.getDefaultInstance(), slowLog::large)
        .on(
            "ClearSlowLogsResponses",
            ClearSlowLogResponseRequest.getDefaultInstance(),
            slowLog::clear)
        .build();
  }
}
