package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.region.CompactableRegion;
import dev.cairn.engine.region.FlushableRegion;
import dev.cairn.engine.region.ReadOnlyRegion;
import dev.cairn.engine.region.SplittableRegion;
import dev.cairn.engine.region.feed.FeedBatch;
import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.engine.region.follow.FollowerMemory.Flushed;
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
 * A replica of a region that another server may own: answers reads from the owner's store files and
 * from the logged changes that it receives. It has nothing to flush, compact or split. {@link
 * #refresh} takes over the owner's present files.
 *
 * <p>A replica that follows the log refuses reads until it has the changes that its region had when
 * the region's server first answered. Otherwise, its answers could be older than those that the
 * same replica gave at another server. Thread-safe.
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

  /** The replica refuses reads until it has every change up to this number. */
  private volatile long readableSequence;

  /** Whether {@link #readableSequence} has been reached. */
  private volatile boolean isReadable;

  ReplicaRegion(ReadOnlyRegion region) {
    this.region = region;
    this.readableSequence = Long.MAX_VALUE;
    this.isReadable = !region.followsLog();
  }

  /** Tells whether the replica waits for the first answer of its region's server. */
  public boolean awaitsRegion() {
    return !isReadable && readableSequence == Long.MAX_VALUE;
  }

  /**
   * Notes that the region's server has answered.
   *
   * @param currentSequence a replica that has every change up to this number is current; 0 if the
   *     region's log is not sent
   */
  public void heard(long currentSequence) {
    if (!isReadable) {
      readableSequence = Math.min(readableSequence, currentSequence);
      isReadable = currentSequence == 0;
    }
  }

  private boolean isReadable() {
    if (!isReadable && region.followedSequence() >= readableSequence) {
      isReadable = true;
    }
    return isReadable;
  }

  /**
   * Adds logged changes of the region.
   *
   * @throws IOException if changes before them are missing, or there is no memory; nothing is added
   *     then
   */
  public void apply(FeedBatch batch) throws IOException {
    region.apply(batch);
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
   * @param flushed the flushed numbers of the owner; empty if it did not send them
   * @param nowMillis the present time
   * @return whether the files have changed
   */
  public boolean refresh(Optional<Flushed> flushed, long nowMillis) throws IOException {
    boolean hasFailed = true;
    try {
      boolean changed = flushed.isPresent() ? region.refresh(flushed.get()) : region.refresh();
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
    if (!isReadable()) {
      throw new IOException(
          "The replica " + region.info() + " waits for the changes that its region had logged");
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
    return region.memStoreBytes();
  }

  @Override
  public long flushedBytesInUse() {
    return region.flushedBytesInUse();
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
