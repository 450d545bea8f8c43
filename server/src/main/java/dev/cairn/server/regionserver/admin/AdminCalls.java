package dev.cairn.server.regionserver.admin;

import dev.cairn.server.catalog.Messages;
import dev.cairn.server.regionserver.admin.ServerEvents.Event;
import dev.cairn.server.regionserver.hosted.EngineErrors;
import dev.cairn.server.rpc.service.CallInterceptor;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcService;
import dev.cairn.server.rpc.service.SettingsReload;
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
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ReplicateWALEntryRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.RollWALWriterRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.SlowLogResponseRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.StopServerRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.UpdateConfigurationRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.UpdateFavoredNodesRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.WarmupRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.LogRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.GetSpaceQuotaSnapshotsRequest;

/** Wires the methods of {@code AdminService}; those that are not here are refused by name. */
public final class AdminCalls {
  private AdminCalls() {}

  /**
   * Returns the service.
   *
   * @param events hears of some calls, and may refuse them
   * @param before interceptors of all methods, the first outermost
   */
  public static RpcService service(
      AdminRegionCalls regions,
      AdminServerCalls server,
      AssignmentCalls assignment,
      FileCalls files,
      SlowLogCalls slowLog,
      ReplicaCalls replicas,
      SettingsReload settings,
      ServerEvents events,
      List<CallInterceptor> before) {
    return RpcService.builder(MethodTables.ADMIN, before)
        .failing(EngineErrors::forClient)
        .on(
            "GetRegionInfo",
            GetRegionInfoRequest.getDefaultInstance(),
            (call, request) -> CallSubject.region(request.getRegion()),
            regions::info)
        .on(
            "GetOnlineRegion",
            GetOnlineRegionRequest.getDefaultInstance(),
            CallSubject::cluster,
            regions::online)
        .on(
            "GetRegionLoad",
            GetRegionLoadRequest.getDefaultInstance(),
            (call, request) ->
                request.hasTableName()
                    ? CallSubject.table(request.getTableName())
                    : CallSubject.CLUSTER,
            regions::load)
        .on(
            "FlushRegion",
            FlushRegionRequest.getDefaultInstance(),
            (call, request) -> CallSubject.region(request.getRegion()),
            regions::flush)
        .on(
            "CompactRegion",
            CompactRegionRequest.getDefaultInstance(),
            (call, request) -> CallSubject.region(request.getRegion()),
            regions::compact)
        .on(
            "CompactionSwitch",
            CompactionSwitchRequest.getDefaultInstance(),
            CallSubject::cluster,
            regions::compactionSwitch)
        .on(
            "OpenRegion",
            OpenRegionRequest.getDefaultInstance(),
            (call, request) ->
                CallSubject.regionsNamed(
                    request.getOpenInfoList().stream()
                        .map(open -> Messages.regionInfo(open.getRegion()).regionName())
                        .toList()),
            events.around(Event.EXECUTE_PROCEDURES, assignment::open))
        .on(
            "CloseRegion",
            CloseRegionRequest.getDefaultInstance(),
            (call, request) -> CallSubject.region(request.getRegion()),
            events.around(Event.EXECUTE_PROCEDURES, assignment::close))
        .on(
            "ExecuteProcedures",
            ExecuteProceduresRequest.getDefaultInstance(),
            AssignmentCalls::subject,
            events.around(Event.EXECUTE_PROCEDURES, assignment::execute))
        .on(
            "GetServerInfo",
            GetServerInfoRequest.getDefaultInstance(),
            CallSubject::cluster,
            server::info)
        .on(
            "RollWALWriter",
            RollWALWriterRequest.getDefaultInstance(),
            CallSubject::cluster,
            events.around(Event.ROLL_LOG, server::roll))
        .on(
            "StopServer",
            StopServerRequest.getDefaultInstance(),
            CallSubject::cluster,
            server::stop)
        .on(
            "GetSpaceQuotaSnapshots",
            GetSpaceQuotaSnapshotsRequest.getDefaultInstance(),
            CallSubject::cluster,
            server::quotas)
        .on(
            "ClearCompactionQueues",
            ClearCompactionQueuesRequest.getDefaultInstance(),
            CallSubject::cluster,
            events.around(Event.CLEAR_COMPACTIONS, regions::clearCompactions))
        .on(
            "GetStoreFile",
            GetStoreFileRequest.getDefaultInstance(),
            (call, request) -> CallSubject.region(request.getRegion()),
            files::storeFiles)
        .on(
            "GetCachedFilesList",
            GetCachedFilesListRequest.getDefaultInstance(),
            CallSubject::cluster,
            files::cachedFiles)
        .on(
            "ClearRegionBlockCache",
            ClearRegionBlockCacheRequest.getDefaultInstance(),
            (call, request) -> CallSubject.regions(request.getRegionList()),
            events.around(Event.CLEAR_CACHE, files::clearCache))
        .on(
            "WarmupRegion",
            WarmupRegionRequest.getDefaultInstance(),
            (call, request) ->
                CallSubject.region(Messages.regionInfo(request.getRegionInfo()).regionName()),
            files::warmUp)
        .on(
            "UpdateFavoredNodes",
            UpdateFavoredNodesRequest.getDefaultInstance(),
            (call, request) ->
                CallSubject.regionsNamed(
                    request.getUpdateInfoList().stream()
                        .map(update -> Messages.regionInfo(update.getRegion()).regionName())
                        .toList()),
            files::favor)
        .on(
            "UpdateConfiguration",
            UpdateConfigurationRequest.getDefaultInstance(),
            CallSubject::cluster,
            events.around(Event.UPDATE_SETTINGS, settings))
        .on(
            "GetLogEntries",
            LogRequest.getDefaultInstance(),
            CallSubject::cluster,
            slowLog::entries)
        .on(
            "GetSlowLogResponses",
            SlowLogResponseRequest.getDefaultInstance(),
            CallSubject::cluster,
            slowLog::slow)
        .on(
            "GetLargeLogResponses",
            SlowLogResponseRequest.getDefaultInstance(),
            CallSubject::cluster,
            slowLog::large)
        .on(
            "ClearSlowLogsResponses",
            ClearSlowLogResponseRequest.getDefaultInstance(),
            CallSubject::cluster,
            slowLog::clear)
        .on(
            "Replay",
            ReplicateWALEntryRequest.getDefaultInstance(),
            ReplicaCalls::subject,
            replicas::replay)
        .build();
  }
}
