package dev.cairn.server.regionserver.admin;

import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.regionserver.hooked.HandlerShares.Turn;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.maintenance.Compactions;
import dev.cairn.server.regionserver.maintenance.Splits;
import dev.cairn.server.regionserver.report.LoadReports;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.split.SplitPolicy;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ClearCompactionQueuesRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ClearCompactionQueuesResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CompactRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CompactRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CompactionSwitchRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CompactionSwitchResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.FlushRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.FlushRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetOnlineRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetOnlineRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetRegionInfoRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetRegionInfoResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetRegionInfoResponse.CompactionState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetRegionLoadRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetRegionLoadResponse;

/** Answers what {@code AdminService} asks about open regions. Any number of threads. */
public final class AdminRegionCalls {
  private final OnlineRegions regions;
  private final Splits splits;
  private final Compactions compactions;
  private final LoadReports loads;

  public AdminRegionCalls(
      OnlineRegions regions, Splits splits, Compactions compactions, LoadReports loads) {
    this.regions = regions;
    this.splits = splits;
    this.compactions = compactions;
    this.loads = loads;
  }

  GetRegionInfoResponse info(RpcCall call, GetRegionInfoRequest request) throws IOException {
    HostedRegion region = regions.find(request.getRegion());
    boolean whole = !region.splits().hasReferences() && region.refusal().isEmpty();
    GetRegionInfoResponse.Builder response =
        GetRegionInfoResponse.newBuilder()
            .setRegionInfo(Messages.message(region.info()))
            .setSplittable(splits.isSplittable(region))
            .setMergeable(whole);
    if (request.getBestSplitRow() && splits.isWhole(region)) {
      middle(call, region).map(Messages::wrap).ifPresent(response::setBestSplitRow);
    }
    if (request.getCompactionState()) {
      response.setCompactionState(
          compactions
              .state(region)
              .map(major -> major ? CompactionState.MAJOR : CompactionState.MINOR)
              .orElse(CompactionState.NONE));
    }
    return response.build();
  }

  /**
   * Returns the default row at which a region is split. A region whose cells are all in memory is
   * flushed, to have a file with a middle.
   *
   * @throws DoNotRetryIOException with the reason, if a policy of the table's own refuses
   */
  private Optional<byte[]> middle(RpcCall call, HostedRegion region) throws IOException {
    SplitPolicy.Point point = splits.middle(region);
    if (point.row().isEmpty()
        && region.splits().splitPoint().isEmpty()
        && flush(call, region, FlushScope.ALL)) {
      point = splits.middle(region);
    }
    if (point.refusal().isPresent()) {
      throw new DoNotRetryIOException(region + " is not split: " + point.refusal().get());
    }
    return point.row();
  }

  GetOnlineRegionResponse online(RpcCall call, GetOnlineRegionRequest request) {
    GetOnlineRegionResponse.Builder response = GetOnlineRegionResponse.newBuilder();
    regions.open().forEach(region -> response.addRegionInfo(Messages.message(region.info())));
    return response.build();
  }

  GetRegionLoadResponse load(RpcCall call, GetRegionLoadRequest request) {
    regions.awaitReported();
    GetRegionLoadResponse.Builder response = GetRegionLoadResponse.newBuilder();
    if (request.hasTableName()) {
      var table = Messages.tableName(request.getTableName());
      response.addAllRegionLoads(loads.regions(region -> region.info().table().equals(table)));
    } else {
      response.addAllRegionLoads(loads.regions(region -> true));
    }
    return response.build();
  }

  /**
   * Flushes all families of a region, or the requested one. As after a table flush in HBase, the
   * flush requests no compaction; the next periodic check does.
   */
  public FlushRegionResponse flush(RpcCall call, FlushRegionRequest request) throws IOException {
    HostedRegion region = regions.find(request.getRegion());
    if (request.hasFamily()) {
      region.checkFamily(request.getFamily().toByteArray());
    }
    long lastFlush = region.figures().statistics().lastFlushMillis();
    boolean due = !request.hasIfOlderThanTs() || lastFlush < request.getIfOlderThanTs();
    FlushScope scope =
        request.hasFamily()
            ? new FlushScope.Families(List.of(request.getFamily().toByteArray()))
            : FlushScope.ALL;
    return FlushRegionResponse.newBuilder()
        .setFlushed(due && flush(call, region, scope))
        .setLastFlushTime(region.figures().statistics().lastFlushMillis())
        .setWroteFlushWalMarker(false)
        .build();
  }

  private static boolean flush(RpcCall call, HostedRegion region, FlushScope scope)
      throws IOException {
    try (Turn turn = region.enterHooks(call)) {
      return region.flushes().flush(scope);
    }
  }

  /** Asks for a compaction of all families of a region, or of the one that is asked for. */
  public CompactRegionResponse compact(RpcCall call, CompactRegionRequest request)
      throws IOException {
    HostedRegion region = regions.find(request.getRegion());
    if (request.hasFamily()) {
      region.checkFamily(request.getFamily().toByteArray());
    }
    if (!compactions.isEnabled()) {
      throw new DoNotRetryIOException("Compactions are switched off on this server");
    }
    Optional<byte[]> family =
        request.hasFamily() ? Optional.of(request.getFamily().toByteArray()) : Optional.empty();
    Optional<String> user = Optional.of(call.user()).filter(name -> !name.isEmpty());
    compactions.request(region, family, request.getMajor(), user);
    return CompactRegionResponse.getDefaultInstance();
  }

  CompactionSwitchResponse compactionSwitch(RpcCall call, CompactionSwitchRequest request) {
    return CompactionSwitchResponse.newBuilder()
        .setPrevState(compactions.enable(request.getEnabled()))
        .build();
  }

  /** Drops the compactions that wait in the named queues. */
  ClearCompactionQueuesResponse clearCompactions(RpcCall call, ClearCompactionQueuesRequest request)
      throws DoNotRetryIOException {
    Set<Compactions.Queue> queues = EnumSet.noneOf(Compactions.Queue.class);
    for (String name : request.getQueueNameList()) {
      queues.add(
          Compactions.Queue.of(name)
              .orElseThrow(
                  () ->
                      new DoNotRetryIOException(
                          "There is no compaction queue "
                              + name
                              + ", only long (large compactions) and short (small ones)")));
    }
    compactions.clear(queues);
    return ClearCompactionQueuesResponse.getDefaultInstance();
  }
}
