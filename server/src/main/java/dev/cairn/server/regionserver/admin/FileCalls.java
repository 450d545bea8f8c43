package dev.cairn.server.regionserver.admin;

import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.region.HotBlocks;
import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.engine.region.write.MemStoreRoom;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.HotBlocksField;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.regionserver.assignment.WarmRegions;
import dev.cairn.server.regionserver.hooked.HandlerShares.Turn;
import dev.cairn.server.regionserver.hosted.EngineErrors;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.hosted.RegionFactory;
import dev.cairn.server.regionserver.hosted.TableDescriptors;
import dev.cairn.server.rpc.service.RpcCall;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ClearRegionBlockCacheRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ClearRegionBlockCacheResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetCachedFilesListRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetCachedFilesListResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetStoreFileRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetStoreFileResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.UpdateFavoredNodesRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.UpdateFavoredNodesResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.WarmupRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.WarmupRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.CacheEvictionStats;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionExceptionMessage;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * Implements the calls of {@code AdminService} on store files and their blocks. Thread-safe.
 *
 * @param regions the open regions
 * @param factories opens regions
 * @param descriptors knows the tables
 * @param cacheBytes returns the memory that cached blocks may take
 * @param preFlushBytes the size of a memstore that is flushed before its region moves
 * @param warmRegions keeps the files of regions that come soon
 */
public record FileCalls(
    OnlineRegions regions,
    Function<MemStoreRoom, RegionFactory> factories,
    TableDescriptors descriptors,
    LongSupplier cacheBytes,
    long preFlushBytes,
    WarmRegions warmRegions) {
  /** The time for a warm-up whose request does not limit it. */
  private static final Duration WARM_UP_MAX = Duration.ofSeconds(10);

  /**
   * Lists the store files of the requested families, or of all. If the master asks for it, tells
   * which of their blocks are in the cache.
   */
  GetStoreFileResponse storeFiles(RpcCall call, GetStoreFileRequest request) throws IOException {
    HostedRegion region = regions.find(request.getRegion());
    List<byte[]> families =
        request.getFamilyCount() > 0
            ? request.getFamilyList().stream().map(ByteString::toByteArray).toList()
            : region.schema().families().stream().map(FamilySchema::name).toList();
    GetStoreFileResponse.Builder files = GetStoreFileResponse.newBuilder();
    for (byte[] family : families) {
      region.checkFamily(family);
      files.addAllStoreFile(region.files().urls(family));
    }
    if (HotBlocksField.isAsked(request)) {
      if (region.flushes().memStoreBytes() >= preFlushBytes) {
        try (Turn turn = region.enterHooks(call)) {
          region.flushes().flush(FlushScope.ALL); // so that the new file is read ahead, too
        }
      }
      HotBlocksField.write(files, region.files().hotBlocks(HotBlocksField.BLOCKS_MAX));
    }
    return files.build();
  }

  /** Lists the store files whose data blocks are all in the block cache, by name. */
  GetCachedFilesListResponse cachedFiles(RpcCall call, GetCachedFilesListRequest request)
      throws IOException {
    Set<String> names = new TreeSet<>();
    for (HostedRegion region : regions.open()) {
      names.addAll(region.files().cached());
    }
    return GetCachedFilesListResponse.newBuilder().addAllCachedFiles(names).build();
  }

  /** Empties the block cache of some regions. Lists those that are not open here. */
  ClearRegionBlockCacheResponse clearCache(RpcCall call, ClearRegionBlockCacheRequest request) {
    CacheEvictionStats.Builder statistics = CacheEvictionStats.newBuilder();
    BlockCache.Eviction removed = BlockCache.Eviction.NONE;
    for (RegionSpecifier name : request.getRegionList()) {
      try {
        removed = removed.plus(regions.find(name).files().clearCache());
      } catch (NotServingRegionException e) {
        statistics.addException(
            RegionExceptionMessage.newBuilder()
                .setRegion(name)
                .setException(EngineErrors.inMessage(e)));
      }
    }
    return ClearRegionBlockCacheResponse.newBuilder()
        .setStats(
            statistics
                .setEvictedBlocks(removed.blocks())
                .setBytesEvicted(removed.bytes())
                .setMaxCacheSize(cacheBytes.getAsLong()))
        .build();
  }

  /**
   * Opens the files of a region that will move here soon, and reads its hot blocks. Does nothing if
   * it is already here.
   */
  WarmupRegionResponse warmUp(RpcCall call, WarmupRegionRequest request) throws IOException {
    RegionInfo region = Messages.regionInfo(request.getRegionInfo());
    HotBlocks hot = HotBlocksField.read(request);
    Duration timeout = HotBlocksField.timeout(request).orElse(WARM_UP_MAX);
    if (regions.get(region.encodedName()).isEmpty()) {
      // Only a region that will open here has a timeout.
      boolean isComing = HotBlocksField.timeout(request).isPresent();
      if (isComing) {
        regions.expect(region.encodedName());
      }
      warmRegions.add(
          factories
              .apply(MemStoreRoom.UNLIMITED)
              .warmUp(region, descriptors.read(region.table()), hot, timeout));
      if (isComing) {
        regions.expect(region.encodedName()); // Restarts the time for which it is expected.
      }
    }
    return WarmupRegionResponse.getDefaultInstance();
  }

  /**
   * Takes the machines on which the blocks of regions are wanted, which is a hint. It has no
   * effect: HDFS keeps one replica of each block on the machine of the server that writes it.
   */
  UpdateFavoredNodesResponse favor(RpcCall call, UpdateFavoredNodesRequest request) {
    for (UpdateFavoredNodesRequest.RegionUpdateInfo update : request.getUpdateInfoList()) {
      Messages.regionInfo(update.getRegion());
    }
    return UpdateFavoredNodesResponse.newBuilder()
        .setResponse(request.getUpdateInfoCount())
        .build();
  }
}
