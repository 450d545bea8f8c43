package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.region.CompactableRegion;
import dev.cairn.engine.region.FlushableRegion;
import dev.cairn.engine.region.ReadOnlyRegion;
import dev.cairn.engine.region.SplittableRegion;
import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.store.CompactionProgress;
import dev.cairn.engine.store.Store;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * A replica of a region that another server may own: answers reads from the owner's store files,
 * and has nothing to flush, compact or split. {@link #refresh} takes over the owner's present
 * files. Thread-safe.
 */
public final class ReplicaRegion
    implements RegionReads, FlushableRegion, CompactableRegion, SplittableRegion {
  private final ReadOnlyRegion region;

  /** The failure of the last refresh; null if it succeeded. */
  private volatile IOException failure;

  /** The time of the first of the refreshes that failed in a row, by the caller's clock. */
  private volatile long failingSinceMillis;

  /** The reason to refuse reads; null if reads are answered. */
  private volatile String refusal;

  ReplicaRegion(ReadOnlyRegion region) {
    this.region = region;
  }

  RegionParts parts(RegionWrites writes) {
    return new RegionParts(
        this,
        writes,
        new RegionMaintenance(
            this,
            this,
            this,
            region,
            region.files(),
            request -> {
              throw error();
            },
            memory -> {
              throw error();
            },
            abort -> region.close()));
  }

  private DoNotRetryIOException error() {
    return new DoNotRetryIOException(region.info() + " is a replica, which takes no changes");
  }

  /**
   * Takes over the store files that the owner has now; running reads keep theirs. If it fails, the
   * replica has the files that it had before.
   *
   * @param nowMillis the present time
   * @return whether the files have changed
   */
  public boolean refresh(long nowMillis) throws IOException {
    boolean hasFailed = true;
    try {
      boolean changed = region.refresh();
      hasFailed = false;
      failure = null;
      refusal = null;
      return changed;
    } catch (IOException e) {
      if (failure == null) {
        failingSinceMillis = nowMillis;
      }
      failure = e;
      throw e;
    } finally {
      if (hasFailed && failure == null) {
        failingSinceMillis = nowMillis;
        failure = new IOException("The refresh met a programming error");
      }
    }
  }

  /**
   * Refuses reads until the next refresh that succeeds, if all refreshes have failed for {@code
   * maxMillis}: the files may be deleted by now.
   */
  public void refuseIfStale(long nowMillis, long maxMillis) {
    IOException last = failure;
    if (last != null && nowMillis - failingSinceMillis > maxMillis) {
      refusal =
          "The replica "
              + region.info()
              + " cannot read which files its region has, for more than "
              + maxMillis
              + " ms: "
              + last;
    }
  }

  /** Tells whether the last refresh failed. */
  public boolean isFailing() {
    return failure != null;
  }

  @Override
  public RegionRead read(ScanRequest request, ReadBudget budget) throws IOException {
    String reason = refusal;
    if (reason != null) {
      throw new IOException(reason);
    }
    return region.read(request, budget);
  }

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
  public void compact(byte[] family, boolean major) throws IOException {
    throw error();
  }

  @Override
  public List<CompactionProgress> compactionProgress() {
    return List.of();
  }

  @Override
  public boolean hasReferences() {
    return region.stores().stream().anyMatch(Store::hasReferences);
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
    return region.stores().stream().map(Store::fileBytes).toList();
  }

  @Override
  public long blockedWrites() {
    return 0;
  }
}
