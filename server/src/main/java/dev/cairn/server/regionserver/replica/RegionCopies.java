package dev.cairn.server.regionserver.replica;

import dev.cairn.engine.region.feed.FeedBatch;
import dev.cairn.engine.region.feed.RegionFeed;
import dev.cairn.engine.region.follow.FollowerMemory.Flushed;
import dev.cairn.server.regionserver.hosted.CopySource;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.replica.ReplicaLink.Location;
import dev.cairn.server.regionserver.replica.ReplicaMessage.FilesNotice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tracks the replicas of one opening of a region, and the changes that each of them has. Not
 * thread-safe.
 */
final class RegionCopies {
  private static final long FLUSH_PAUSE_MILLIS = 10_000;

  private final HostedRegion region;
  private final Optional<CopySource> source;
  private final Optional<RegionFeed> feed;
  private List<RegionCopy> copies = List.of();
  private final Attempts locating = new Attempts();
  private boolean isLocated;
  private long locatedVersion = -1;
  private boolean isFlushWanted;
  private Optional<Long> flushAskedMillis = Optional.empty();

  RegionCopies(HostedRegion region) {
    this.region = region;
    this.source = region.copySource();
    this.feed = source.flatMap(CopySource::feed);
  }

  HostedRegion region() {
    return region;
  }

  Optional<RegionFeed> feed() {
    return feed;
  }

  /** Tells whether the replicas must be looked up, as after each change of the files. */
  boolean isLocateDue(long nowMillis) {
    return (!isLocated || locatedVersion != region.files().version()) && locating.isDue(nowMillis);
  }

  /** Returns where the replicas were when they were looked up last. */
  List<Location> locations() {
    return copies.stream().map(copy -> new Location(copy.replica(), copy.server())).toList();
  }

  /** Notes that replicas have moved. They will be looked up. */
  void moved() {
    isLocated = false;
    locating.succeeded();
  }

  /** Takes over the locations of the replicas. Keeps the state of replicas that have not moved. */
  void located(List<Location> locations, long version) {
    List<RegionCopy> found = new ArrayList<>();
    for (Location location : locations) {
      found.add(
          copies.stream()
              .filter(copy -> copy.isAt(location))
              .findFirst()
              .orElseGet(() -> new RegionCopy(location.replica(), location.server())));
    }
    copies = found;
    isLocated = true;
    locatedVersion = version;
    locating.succeeded();
  }

  void locateFailed(long nowMillis) {
    locating.failed(nowMillis);
  }

  /** Handles the opening of a replica: it will be looked up and told everything. */
  void greeted(int replicaId) {
    copies = copies.stream().filter(copy -> copy.replica().replicaId() != replicaId).toList();
    isLocated = false;
    locating.succeeded();
  }

  /** Tells whether a message to a replica is due. */
  boolean isDue(RegionCopy copy, long nowMillis) {
    return copy.attempts().isDue(nowMillis) && (isFilesDue(copy) || areChangesDue(copy));
  }

  List<RegionCopy> copies() {
    return copies;
  }

  private boolean isFilesDue(RegionCopy copy) {
    return copy.toldVersion() != region.files().version() || isGapToClose(copy);
  }

  private boolean areChangesDue(RegionCopy copy) {
    return copy.isKnown() && feed.isPresent() && feed.get().isReadyAfter(copy.sequence());
  }

  private boolean lacksChanges(RegionCopy copy) {
    return copy.isKnown() && feed.isPresent() && !feed.get().continuesAfter(copy.sequence());
  }

  /**
   * Tells whether the files contain changes that the replica lacks and that the feed has dropped.
   */
  private boolean isGapToClose(RegionCopy copy) {
    return lacksChanges(copy)
        && source
            .flatMap(CopySource::flushedNumbers)
            .map(numbers -> numbers.ofRegion() > copy.sequence())
            .orElse(false);
  }

  /** A message, and the state of its replica after the delivery. */
  record Outgoing(
      RegionCopies copies,
      RegionCopy copy,
      ReplicaMessage message,
      long version,
      long sequence,
      long bytes) {
    /** Notes that the replica has the message. */
    void delivered() {
      copy.delivered(version, sequence);
      copies.trim();
    }
  }

  /**
   * Returns the next message to a replica for which one is due; empty if the region closes. Its
   * next owner tells the replica of the files.
   */
  Optional<Outgoing> next(RegionCopy copy, long bytesMax) {
    // The files' version and numbers are read before the replica lists the files, and before the
    // changes are taken: the replica then has the changes that are in the files.
    boolean isFilesDue = isFilesDue(copy);
    long version = region.files().version();
    Optional<FilesNotice> files = isFilesDue ? notice() : Optional.empty();
    if (isFilesDue && files.isEmpty()) {
      return Optional.empty();
    }
    Optional<FeedBatch> batch =
        copy.isKnown()
            ? feed.flatMap(all -> all.take(copy.sequence(), bytesMax))
            : Optional.empty();
    long sequence = Math.max(copy.sequence(), batch.map(FeedBatch::lastSequence).orElse(-1L));
    boolean isCut = batch.isPresent() && feed.orElseThrow().isReadyAfter(sequence);
    if (!isFilesDue || isCut) {
      return Optional.of(
          new Outgoing(
              this,
              copy,
              ReplicaMessage.to(copy.replica(), batch, Optional.empty()),
              copy.toldVersion(),
              sequence,
              bytes(batch)));
    }
    long flushed =
        files.flatMap(FilesNotice::flushed).map(told -> told.numbers().ofRegion()).orElse(-1L);
    return Optional.of(
        new Outgoing(
            this,
            copy,
            ReplicaMessage.to(copy.replica(), batch, files),
            version,
            Math.max(sequence, flushed),
            bytes(batch)));
  }

  private static long bytes(Optional<FeedBatch> batch) {
    return batch.stream()
        .flatMap(some -> some.items().stream())
        .mapToLong(item -> item.cells().byteSize())
        .sum();
  }

  /** Returns a notice of the region's files; empty if the region closes. */
  private Optional<FilesNotice> notice() {
    if (source.isEmpty()) {
      return Optional.of(FilesNotice.PLAIN);
    }
    // The current number is read first: closing the region removes changes that are not ready.
    long current = feed.map(RegionFeed::readySequence).orElse(0L);
    return source
        .get()
        .flushedNumbers()
        .map(
            numbers ->
                new FilesNotice(Optional.of(new Flushed(source.get().owner(), numbers)), current));
  }

  /**
   * Notes that an open replica refused a message. The replica will be looked up, and told of the
   * files first. It may need a flush, because it lacks changes, or memory for them.
   */
  void refused(RegionCopy copy, long nowMillis) {
    copy.refused(nowMillis);
    isLocated = false;
    isFlushWanted |= feed.isPresent();
  }

  /** Notes that a replica cannot be reached, or is not open. It will be looked up. */
  void unreached(RegionCopy copy, long nowMillis) {
    copy.unreached(nowMillis);
    isLocated = false;
  }

  /** Notes that a replica has asked for a flush. */
  void flushAsked() {
    isFlushWanted = true;
  }

  /** Tells whether the region must be flushed now because replicas lack changes. */
  boolean isFlushDue(long nowMillis) {
    boolean mayBegin =
        flushAskedMillis.map(then -> nowMillis - then >= FLUSH_PAUSE_MILLIS).orElse(true);
    return mayBegin
        && !region.flushes().hasRecoveredEdits() // Their flush follows.
        && (isFlushWanted || copies.stream().anyMatch(this::needsFlush));
  }

  /** A flush does not help a replica while it cannot be told of the flush. */
  private boolean needsFlush(RegionCopy copy) {
    return !copy.attempts().haveFailed() && lacksChanges(copy) && !isGapToClose(copy);
  }

  /** As {@link #isFlushDue}. If it returns true, the caller must begin the flush. */
  boolean takeFlush(long nowMillis) {
    boolean isDue = isFlushDue(nowMillis);
    if (isDue) {
      isFlushWanted = false;
      flushAskedMillis = Optional.of(nowMillis);
    }
    return isDue;
  }

  /** Removes the changes that all replicas have from the feed. */
  void trim() {
    if (feed.isPresent() && isLocated && copies.stream().allMatch(RegionCopy::isKnown)) {
      feed.get().trim(copies.stream().mapToLong(RegionCopy::sequence).min().orElse(Long.MAX_VALUE));
    }
  }
}
