package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.cache.CacheContents;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.region.RegionFiles;
import dev.cairn.engine.region.RegionSnapshot;
import dev.cairn.engine.region.RegionStatistics;
import dev.cairn.engine.region.bulkload.BulkLoadOutcome;
import dev.cairn.engine.region.bulkload.BulkLoadRequest;
import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.engine.region.lifecycle.RegionSplit;
import dev.cairn.engine.region.write.PendingWrite;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.storage.BlockLocation;
import dev.cairn.engine.store.CompactionProgress;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreFigures;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** An open region of the engine, as calls and the server's own work use it. Thread-safe. */
public record EngineRegion(Region region) implements RegionReads, RegionWrites, RegionMaintenance {
  @Override
  public RegionRead read(ScanRequest request, ReadBudget budget) throws IOException {
    return region.read(request, budget);
  }

  @Override
  public PendingWrite write(WriteRequest request, WriteBudget budget) throws IOException {
    return region.write(request, budget);
  }

  @Override
  public boolean flush(FlushScope scope) throws IOException {
    return region.flush(scope);
  }

  @Override
  public boolean isFlushOverdue() {
    return region.isFlushOverdue();
  }

  @Override
  public boolean hasRecoveredEdits() {
    return region.hasRecoveredEdits();
  }

  @Override
  public boolean hasTooManyFiles() {
    return region.hasTooManyFiles();
  }

  @Override
  public List<byte[]> familiesToCompact() {
    return region.familiesToCompact();
  }

  @Override
  public boolean isLargeCompaction(byte[] family, boolean major) {
    return region.isLargeCompaction(family, major);
  }

  @Override
  public List<LargestRow> largestRows() {
    return region.stores().stream()
        .flatMap(
            store ->
                store.largestRows().stream()
                    .map(row -> new LargestRow(store.family().nameAsString(), row)))
        .toList();
  }

  @Override
  public List<CompactionProgress> compactions() {
    return region.stores().stream().flatMap(store -> store.compaction().stream()).toList();
  }

  @Override
  public void compact(byte[] family, boolean major) throws IOException {
    region.compact(family, major);
  }

  @Override
  public BulkLoadOutcome bulkLoad(BulkLoadRequest request) throws IOException {
    return region.bulkLoad(request);
  }

  @Override
  public RegionSnapshot snapshot(RegionSnapshot.Memory memory) throws IOException {
    return region.snapshot(memory);
  }

  @Override
  public void close(boolean abort) throws IOException {
    region.close(abort);
  }

  @Override
  public boolean hasReferences() {
    return region.hasReferences();
  }

  @Override
  public Optional<byte[]> splitPoint() throws IOException {
    return RegionSplit.splitPoint(region);
  }

  @Override
  public List<Long> storeBytes() {
    return region.stores().stream().map(Store::fileBytes).toList();
  }

  @Override
  public long blockedWrites() {
    return region.blockedWrites();
  }

  @Override
  public List<String> storeFiles(List<byte[]> families) throws IOException {
    return new RegionFiles(region).urls(families);
  }

  @Override
  public List<String> filePaths() {
    return new RegionFiles(region).paths();
  }

  @Override
  public List<BlockLocation> blockLocations(String path) throws IOException {
    return new RegionFiles(region).locations(path);
  }

  @Override
  public List<String> cachedFiles() throws IOException {
    return new RegionFiles(region).cached();
  }

  @Override
  public List<CachedFile> cached(CacheContents contents) {
    return region.stores().stream()
        .flatMap(
            store ->
                store.view().files().stream()
                    .map(
                        file ->
                            new CachedFile(
                                store.family().nameAsString(),
                                file.name(),
                                file.length(),
                                file.reader().cached(contents))))
        .toList();
  }

  @Override
  public BlockCache.Eviction clearCache() {
    return new RegionFiles(region).clearCache();
  }

  @Override
  public List<StoreFigures> storeFigures(long nowMillis) {
    return region.stores().stream().map(store -> store.figures(nowMillis)).toList();
  }

  @Override
  public RegionStatistics statistics() {
    return region.statistics();
  }

  @Override
  public long memStoreBytes() {
    return region.memStoreBytes();
  }

  @Override
  public long storeFileBytes() {
    return region.storeFileBytes();
  }

  @Override
  public long flushedBytesInUse() {
    return region.flushedBytesInUse();
  }
}
