package dev.cairn.server.regionserver;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.region.NoSuchFamilyException;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.rpc.RpcCall;
import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
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
final class AdminRegionCalls {
  private final OnlineRegions regions;
  private final Compactions compactions;
  private final LoadReports loads;

  AdminRegionCalls(OnlineRegions regions, Compactions compactions, LoadReports loads) {
    this.regions = regions;
    this.compactions = compactions;
    this.loads = loads;
  }

  GetRegionInfoResponse info(RpcCall call, GetRegionInfoRequest request) throws IOException {
    HostedRegion region = regions.find(request.getRegion());
    if (request.getBestSplitRow()) {
      throw new DoNotRetryIOException("Cairn does not split regions yet");
    }
    GetRegionInfoResponse.Builder response =
        GetRegionInfoResponse.newBuilder()
            .setRegionInfo(Messages.message(region.info()))
            .setSplittable(false)
            .setMergeable(false);
    if (request.getCompactionState()) {
      response.setCompactionState(
          compactions
              .state(region)
              .map(major -> major ? CompactionState.MAJOR : CompactionState.MINOR)
              .orElse(CompactionState.NONE));
    }
    return response.build();
  }

  GetOnlineRegionResponse online(RpcCall call, GetOnlineRegionRequest request) {
    GetOnlineRegionResponse.Builder response = GetOnlineRegionResponse.newBuilder();
    regions.open().forEach(region -> response.addRegionInfo(Messages.message(region.info())));
    return response.build();
  }

  GetRegionLoadResponse load(RpcCall call, GetRegionLoadRequest request) {
    GetRegionLoadResponse.Builder response = GetRegionLoadResponse.newBuilder();
    if (request.hasTableName()) {
      var table = Messages.tableName(request.getTableName());
      response.addAllRegionLoads(loads.regions(region -> region.info().table().equals(table)));
    } else {
      response.addAllRegionLoads(loads.regions(region -> true));
    }
    return response.build();
  }

  /** Flushes all families of a region, also if only one is asked for. */
  FlushRegionResponse flush(RpcCall call, FlushRegionRequest request) throws IOException {
    HostedRegion region = regions.find(request.getRegion());
    checkFamily(region, request.hasFamily(), request.getFamily().toByteArray());
    long lastFlush = region.upkeep().statistics().lastFlushMillis();
    boolean due = !request.hasIfOlderThanTs() || lastFlush < request.getIfOlderThanTs();
    boolean flushed = due && region.upkeep().flush();
    if (flushed) {
      compactions.check(region);
    }
    return FlushRegionResponse.newBuilder()
        .setFlushed(flushed)
        .setLastFlushTime(region.upkeep().statistics().lastFlushMillis())
        .setWroteFlushWalMarker(false)
        .build();
  }

  /** Asks for a compaction, of all families of the region also if only one is asked for. */
  CompactRegionResponse compact(RpcCall call, CompactRegionRequest request) throws IOException {
    HostedRegion region = regions.find(request.getRegion());
    checkFamily(region, request.hasFamily(), request.getFamily().toByteArray());
    if (!compactions.isEnabled()) {
      throw new DoNotRetryIOException("Compactions are switched off on this server");
    }
    compactions.request(region, request.getMajor());
    return CompactRegionResponse.getDefaultInstance();
  }

  CompactionSwitchResponse compactionSwitch(RpcCall call, CompactionSwitchRequest request) {
    return CompactionSwitchResponse.newBuilder()
        .setPrevState(compactions.enable(request.getEnabled()))
        .build();
  }

  private static void checkFamily(HostedRegion region, boolean given, byte[] family)
      throws IOException {
    if (given && region.schema().family(family).isEmpty()) {
      throw EngineErrors.forClient(
          new NoSuchFamilyException(
              "Table "
                  + region.info().table()
                  + " has no family "
                  + Bytes.toStringBinary(family)
                  + "; it has "
                  + region.schema().familyNames()));
    }
  }
}
