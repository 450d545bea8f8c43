package dev.cairn.server.regionserver.replica;

import dev.cairn.engine.region.feed.FeedBatch;
import dev.cairn.engine.region.feed.FeedItem;
import dev.cairn.engine.region.feed.FeedMemory;
import dev.cairn.engine.region.feed.RegionFeed;
import dev.cairn.engine.region.follow.FeedGapException;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.metrics.Histogram;
import dev.cairn.server.metrics.Metric;
import dev.cairn.server.metrics.Metric.Unit;
import dev.cairn.server.metrics.MetricRecord;
import dev.cairn.server.metrics.MetricSource;
import dev.cairn.server.metrics.RecordName;
import dev.cairn.server.metrics.Scope.Label;
import dev.cairn.server.regionserver.hosted.CopySource;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the traffic between regions and their replicas: the changes that this server's regions
 * have sent ({@code source}), and those that its replicas have received ({@code sink}). The names
 * are those of HBase, which sends changes to replicas as it replicates to other clusters. Nothing
 * is counted when a region writes. Thread-safe.
 */
public final class ReplicaMetrics {
  private final OnlineRegions regions;
  private final FeedMemory feeds;
  private final Clock clock;

  private final LongAdder shippedBatches = new LongAdder();
  private final LongAdder shippedCells = new LongAdder();
  private final LongAdder shippedBytes = new LongAdder();
  private final Histogram shippedAges = new Histogram();
  private final LongAdder failedCalls = new LongAdder();
  private final LongAdder flushRequests = new LongAdder();

  private final LongAdder appliedBatches = new LongAdder();
  private final LongAdder appliedCells = new LongAdder();
  private final LongAdder appliedBytes = new LongAdder();
  private final Histogram appliedAges = new Histogram();
  private final LongAdder failedBatches = new LongAdder();
  private final LongAdder gaps = new LongAdder();
  private final LongAdder fullBatches = new LongAdder();
  private final Histogram replayTimes = new Histogram();

  /**
   * Creates it.
   *
   * @param feeds the memory of the changes that replicas do not have yet
   */
  public ReplicaMetrics(OnlineRegions regions, FeedMemory feeds, Clock clock) {
    this.regions = regions;
    this.feeds = feeds;
    this.clock = clock;
  }

  /**
   * Counts a call whose messages have been accepted.
   *
   * @param bytes of the request; 0 if the replicas are at this server
   */
  void shipped(List<ReplicaMessage> messages, long bytes, long nowMillis) {
    shippedBytes.add(bytes);
    boolean hasChanges = false;
    for (ReplicaMessage message : messages) {
      if (message.batch().isPresent()) {
        hasChanges = true;
        shippedCells.add(cells(message.batch().get()));
        shippedAges.record(ageNanos(message.batch().get(), nowMillis));
      }
    }
    if (hasChanges) {
      shippedBatches.increment();
    }
  }

  void callFailed() {
    failedCalls.increment();
  }

  void flushRequested() {
    flushRequests.increment();
  }

  /** Counts changes that a replica has applied. */
  void applied(FeedBatch batch, long nowMillis) {
    appliedBatches.increment();
    appliedCells.add(cells(batch));
    appliedBytes.add(batch.items().stream().mapToLong(item -> item.cells().byteSize()).sum());
    appliedAges.record(ageNanos(batch, nowMillis));
  }

  /** Counts changes that a replica has not accepted. */
  void refused(IOException reason) {
    failedBatches.increment();
    if (reason instanceof FeedGapException) {
      gaps.increment();
    } else if (reason instanceof RegionBusyException) {
      fullBatches.increment();
    }
  }

  /** Records the time in which the messages of a call were handed to replicas. */
  void replayed(long nanos) {
    replayTimes.record(nanos);
  }

  private static long cells(FeedBatch batch) {
    return batch.items().stream().mapToLong(item -> item.cells().size()).sum();
  }

  /** Returns the age of the newest change of a batch. Clocks of two servers may differ. */
  private static long ageNanos(FeedBatch batch, long nowMillis) {
    FeedItem newest = batch.items().get(batch.items().size() - 1);
    return TimeUnit.MILLISECONDS.toNanos(Math.max(0, nowMillis - newest.writeMillis()));
  }

  /** Returns the sources of the metrics of a server. */
  public List<MetricSource> sources(ServerName server) {
    List<Label> labels = List.of(new Label("server", server.hostAndPort()));
    return List.of(
        MetricSource.of(
            RecordName.of("RegionServer", "Replication", "replica").with(labels),
            to -> {
              source(to);
              sink(to);
            }),
        MetricSource.of(
            RecordName.of("RegionServer", "Server", "regionserver").with(labels),
            to ->
                to.add(
                    Metric.time(
                        "Replay", "Times of calls with messages to replicas at this server."),
                    replayTimes)));
  }

  private void source(MetricRecord.Builder to) {
    to.add(
            Metric.counter(
                    "source.shippedBatches", "Calls with changes that replicas have accepted.")
                .as("shipped_batches"),
            shippedBatches.sum())
        .add(
            Metric.counter("source.shippedOps", "Cells that replicas have accepted.")
                .as("shipped_cells"),
            shippedCells.sum())
        .add(
            Metric.counter(
                    "source.shippedBytes",
                    Unit.BYTES,
                    "Length of the requests that replicas at other servers have accepted.")
                .as("shipped"),
            shippedBytes.sum())
        .add(
            Metric.counter(
                    "source.failedBatches",
                    "Calls to servers of replicas that failed, or that a replica refused.")
                .as("failed_calls"),
            failedCalls.sum())
        .add(
            Metric.time(
                    "Source.ageOfLastShippedOp",
                    "Times from a change until a replica has accepted it, for the newest change of"
                        + " each region in a call.")
                .as("shipped_age"),
            shippedAges)
        .add(
            Metric.gauge(
                    "source.walReaderEditsBufferUsage",
                    Unit.BYTES,
                    "Memory of the changes that replicas do not have yet.")
                .as("queued"),
            feeds.bytes())
        .add(
            Metric.gauge(
                    "source.ageOfOldestQueuedEdit",
                    Unit.MILLIS,
                    "Age of the oldest change that replicas do not have yet; 0 if there is none.")
                .as("oldest_queued_age"),
            oldestAge())
        .add(
            Metric.counter(
                    "source.droppedEdits",
                    "Changes dropped because of hbase.region.replica.replication.buffersize, before"
                        + " replicas had them.")
                .as("dropped_edits"),
            feeds.droppedItems())
        .add(
            Metric.counter(
                    "source.flushRequests",
                    "Flushes that were requested because replicas lacked changes or held too much"
                        + " memory.")
                .as("flush_requests"),
            flushRequests.sum());
  }

  private long oldestAge() {
    long oldest =
        regions.open().stream()
            .flatMap(region -> region.copySource().flatMap(CopySource::feed).stream())
            .map(RegionFeed::figures)
            .mapToLong(RegionFeed.Figures::oldestMillis)
            .min()
            .orElse(Long.MAX_VALUE);
    return oldest == Long.MAX_VALUE ? 0 : Math.max(0, clock.currentTimeMillis() - oldest);
  }

  private void sink(MetricRecord.Builder to) {
    to.add(
            Metric.counter(
                    "sink.appliedBatches",
                    "Messages with changes that replicas at this server have applied.")
                .as("applied_batches"),
            appliedBatches.sum())
        .add(
            Metric.counter("sink.appliedOps", "Cells that replicas at this server have applied.")
                .as("applied_cells"),
            appliedCells.sum())
        .add(
            Metric.counter(
                    "sink.appliedBytes",
                    Unit.BYTES,
                    "Length of the cells that replicas at this server have applied.")
                .as("applied"),
            appliedBytes.sum())
        .add(
            Metric.counter(
                    "sink.failedBatches",
                    "Messages with changes that replicas at this server have refused, for any"
                        + " reason.")
                .as("refused_batches"),
            failedBatches.sum())
        .add(
            Metric.counter(
                    "sink.gaps", "Messages refused because the replica lacks earlier changes.")
                .as("gaps"),
            gaps.sum())
        .add(
            Metric.counter("sink.memoryRefusals", "Messages refused because memory is short.")
                .as("memory_refusals"),
            fullBatches.sum())
        .add(
            Metric.time(
                    "Sink.ageOfLastAppliedOp",
                    "Times from a change until its replica shows it, for the newest change of each"
                        + " message. Compares the clocks of two servers.")
                .as("applied_age"),
            appliedAges)
        .add(
            Metric.gauge(
                    "sink.memStoreSize",
                    Unit.BYTES,
                    "Memory of the changes that replicas at this server hold.")
                .as("memstore"),
            regions.open().stream()
                .filter(HostedRegion::isReplica)
                .mapToLong(region -> region.flushes().memStoreBytes())
                .sum());
  }
}
