package dev.cairn.server.regionserver.replica;

import dev.cairn.engine.region.feed.FeedBatch;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.hosted.ReplicaRegion;
import dev.cairn.server.regionserver.replica.ReplicaMessage.FilesNotice;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/** Hands messages from the servers of regions to the replicas at this server. Thread-safe. */
public final class ReplicaReceiver {
  private final OnlineRegions regions;
  private final ReplicaRefresh refresh;
  private final Clock clock;
  private final ReplicaMetrics metrics;

  /** Creates it. */
  public ReplicaReceiver(
      OnlineRegions regions, ReplicaRefresh refresh, Clock clock, ReplicaMetrics metrics) {
    this.regions = regions;
    this.refresh = refresh;
    this.clock = clock;
    this.metrics = metrics;
  }

  /** As {@link #receive(List, long)}, for a caller without a deadline. */
  public void receive(List<ReplicaMessage> messages) throws IOException {
    receive(messages, Long.MAX_VALUE);
  }

  /**
   * Hands out messages. If a replica is not here, or does not accept its message, hands out the
   * other messages and then fails. Stops at the deadline; the caller will repeat them.
   *
   * @param deadlineNanos when the caller gives up, by the clock; {@link Long#MAX_VALUE} if unknown
   */
  public void receive(List<ReplicaMessage> messages, long deadlineNanos) throws IOException {
    long begin = clock.nanoTime();
    IOException failure = null;
    for (ReplicaMessage message : messages) {
      if (deadlineNanos != Long.MAX_VALUE && clock.nanoTime() - deadlineNanos >= 0) {
        failure = new IOException("The caller no longer waits");
        break;
      }
      try {
        receive(message);
      } catch (IOException e) {
        failure = e;
      }
    }
    metrics.replayed(clock.nanoTime() - begin);
    if (failure != null) {
      throw failure;
    }
  }

  private void receive(ReplicaMessage message) throws IOException {
    HostedRegion region = regions.findOpen(message.region());
    if (!region.isReplica()) {
      throw new DoNotRetryIOException(region + " is no replica");
    }
    ReplicaRegion replica = refresh.open(region);
    if (message.batch().isPresent()) {
      apply(replica, message.batch().get());
    }
    if (message.files().isPresent()) {
      FilesNotice files = message.files().get();
      refresh.refresh(region, replica, files.flushed());
      replica.heard(files.currentSequence());
    }
  }

  private void apply(ReplicaRegion replica, FeedBatch batch) throws IOException {
    try {
      replica.apply(batch);
    } catch (IOException e) {
      metrics.refused(e);
      throw e;
    }
    metrics.applied(batch, clock.currentTimeMillis());
  }
}
