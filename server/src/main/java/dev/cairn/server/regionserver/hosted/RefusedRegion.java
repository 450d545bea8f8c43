package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.region.CompactableRegion;
import dev.cairn.engine.region.FlushableRegion;
import dev.cairn.engine.region.IndexBuild;
import dev.cairn.engine.region.IndexUsage;
import dev.cairn.engine.region.RegionFigures;
import dev.cairn.engine.region.RegionFiles;
import dev.cairn.engine.region.RegionStatistics;
import dev.cairn.engine.region.SplittableRegion;
import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.store.CompactionNeed;
import dev.cairn.engine.store.CompactionProgress;
import dev.cairn.engine.store.StoreFigures;
import dev.cairn.engine.store.StoreStatistics;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * Stands in for a region that this server cannot serve: as its writes are refused as well, every
 * call gets the reason. Its files are not touched. Without it, clients would look for the region
 * for minutes and never hear why.
 *
 * @param reason the whole message
 * @param openSequence the sequence number to report
 */
record RefusedRegion(String reason, long openSequence)
    implements RegionReads, FlushableRegion, CompactableRegion, SplittableRegion, RegionFigures {
  RegionMaintenance maintenance() {
    return new RegionMaintenance(
        this,
        this,
        this,
        this,
        new RegionFiles(List.of()),
        request -> {
          throw error();
        },
        memory -> {
          throw error();
        },
        abort -> {});
  }

  private DoNotRetryIOException error() {
    return new DoNotRetryIOException(reason);
  }

  @Override
  public RegionRead read(ScanRequest request, ReadBudget budget) throws IOException {
    throw error();
  }

  /** Has nothing to write: none was ever taken. */
  @Override
  public boolean flush(FlushScope scope) {
    return false;
  }

  @Override
  public boolean isFlushOverdue() {
    return false;
  }

  @Override
  public boolean hasRecoveredEdits() {
    return false;
  }

  @Override
  public long memStoreBytes() {
    return 0;
  }

  @Override
  public long flushedBytesInUse() {
    return 0;
  }

  @Override
  public List<byte[]> familiesToCompact() {
    return List.of();
  }

  @Override
  public boolean isLargeCompaction(byte[] family, boolean major) {
    return false;
  }

  @Override
  public void compact(byte[] family, boolean major, Optional<String> requester) throws IOException {
    throw error();
  }

  @Override
  public List<CompactionProgress> compactionProgress() {
    return List.of();
  }

  @Override
  public boolean hasReferences() {
    return false;
  }

  @Override
  public boolean hasTooManyFiles() {
    return false;
  }

  @Override
  public Optional<byte[]> splitPoint() {
    return Optional.empty();
  }

  @Override
  public List<Long> storeBytes() {
    return List.of();
  }

  @Override
  public long blockedWrites() {
    return 0;
  }

  @Override
  public RegionStatistics statistics() {
    return new RegionStatistics(0, 0, 0, 0, 0, 0, 0, openSequence, openSequence, List.of(), 0, 0);
  }

  @Override
  public long storeFileBytes() {
    return 0;
  }

  @Override
  public List<StoreFigures> storeFigures(long nowMillis) {
    return List.of();
  }

  @Override
  public Optional<StoreStatistics> storeStatistics(byte[] family) {
    return Optional.empty();
  }

  @Override
  public Optional<CompactionNeed> compactionNeed(byte[] family) {
    return Optional.empty();
  }

  @Override
  public List<IndexBuild> indexBuilds() {
    return List.of();
  }

  @Override
  public List<IndexUsage> indexUsage() {
    return List.of();
  }

  @Override
  public List<LargestRow> largestRows() {
    return List.of();
  }
}
