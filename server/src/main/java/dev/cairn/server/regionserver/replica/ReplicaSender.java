package dev.cairn.server.regionserver.replica;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.replica.ReceivedMessages.Greeting;
import dev.cairn.server.regionserver.replica.RegionCopies.Outgoing;
import java.io.IOException;
import java.net.ConnectException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.exceptions.ConnectionClosedException;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the logged changes of this server's regions to the servers of their replicas, and notices
 * of changed store files after a flush, a compaction, a bulk load, and the opening of a region.
 * Repeats a failed message, with increasing pauses, until all replicas have it or the region
 * leaves. There is one call at a time to each server, for all regions that are due. Flushes a
 * region if a replica lacks changes that are neither in files nor in the feed.
 *
 * <p>{@link CopyTracker} decides what is due; this class looks up, calls and flushes. Thread-safe.
 */
public final class ReplicaSender {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaSender.class);

  /** The time between two looks for changes. */
  public static final long CHECK_MILLIS = 100;

  private final ServerName self;
  private final OnlineRegions regions;
  private final CopyTracker tracker;
  private final ReplicaLink link;
  private final ReplicaReceiver local;
  private final Consumer<HostedRegion> flush;
  private final Executor executor;
  private final Clock clock;
  private final ReplicaMetrics metrics;

  /**
   * Creates it.
   *
   * @param self this server
   * @param local takes the messages for replicas that are at this server
   * @param flush begins to flush a region whose replicas lack changes; does not block
   * @param executor runs calls to servers
   */
  public ReplicaSender(
      ServerName self,
      OnlineRegions regions,
      ReplicaLink link,
      ReplicaReceiver local,
      Consumer<HostedRegion> flush,
      Executor executor,
      Clock clock,
      ReplicaMetrics metrics) {
    this.self = self;
    this.regions = regions;
    this.tracker = new CopyTracker(regions, link, clock);
    this.link = link;
    this.local = local;
    this.flush = flush;
    this.executor = executor;
    this.clock = clock;
    this.metrics = metrics;
  }

  /**
   * Notes that replicas have been opened. They lack the changes in their regions' memory.
   *
   * @throws NotServingRegionException if a region is not here; the others are handled
   */
  public void greeted(List<Greeting> greetings) throws NotServingRegionException {
    forEach(
        greetings,
        greeting -> tracker.greeted(regions.findOpen(greeting.region()), greeting.replicaId()));
  }

  /**
   * Notes that replicas hold much memory and ask for flushes of their regions.
   *
   * @param names the regions' encoded names
   * @throws NotServingRegionException if a region is not here; the others are handled
   */
  public void flushAsked(List<String> names) throws NotServingRegionException {
    forEach(names, name -> tracker.flushAsked(regions.findOpen(name)));
  }

  private interface OfRegion<T> {
    void handle(T one) throws NotServingRegionException;
  }

  private static <T> void forEach(List<T> all, OfRegion<T> handler)
      throws NotServingRegionException {
    NotServingRegionException failure = null;
    for (T one : all) {
      try {
        handler.handle(one);
      } catch (NotServingRegionException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Tells whether {@link #check} has something to do. */
  public boolean isDue() {
    return tracker.isDue();
  }

  /** Begins the lookups, flushes and messages that are due. */
  public void check() {
    CopyTracker.Due due = tracker.take();
    for (HostedRegion region : due.flushes()) {
      metrics.flushRequested();
      flush.accept(region);
    }
    if (!due.lookups().isEmpty()) {
      run(() -> locate(due.lookups()), tracker::endLocating);
    }
    callAll();
  }

  private void run(Runnable task, Runnable unrun) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException e) {
      unrun.run(); // The server is going down.
    }
  }

  private void locate(List<RegionCopies> unlocated) {
    try {
      boolean answers = true;
      for (RegionCopies region : unlocated) {
        // If hbase:meta does not answer, the next lookups would wait as long.
        answers = answers && isMetaAnswering(region);
        if (!answers) {
          tracker.locateFailed(region);
        }
      }
    } finally {
      tracker.endLocating();
    }
    callAll();
  }

  /** Looks up the replicas of a region; tells whether the next region can be looked up. */
  private boolean isMetaAnswering(RegionCopies region) {
    long version = region.region().files().version();
    try {
      tracker.located(region, link.locate(region.region().info()), version);
      return true;
    } catch (IOException e) {
      LOG.debug("The replicas of {} cannot be located: {}", region.region(), e.toString());
      return false;
    } catch (RuntimeException e) {
      LOG.warn("The replicas of {} cannot be located", region.region(), e);
      tracker.locateFailed(region);
      return true;
    }
  }

  /** Begins to call each server for which a message is due, unless a call to it is running. */
  private void callAll() {
    for (ServerName server : tracker.beginCalls()) {
      run(() -> callWhileDue(server), () -> tracker.ended(server));
    }
  }

  private void callWhileDue(ServerName server) {
    boolean isEnded = false;
    try {
      while (!isEnded) {
        List<Outgoing> messages = tracker.next(server);
        isEnded = messages.isEmpty();
        if (!isEnded) {
          call(server, messages);
        }
      }
    } finally {
      if (!isEnded) {
        tracker.ended(server);
      }
    }
  }

  private void call(ServerName server, List<Outgoing> outgoing) {
    List<ReplicaMessage> messages = outgoing.stream().map(Outgoing::message).toList();
    Throwable failure = new IllegalStateException("The call met a programming error");
    long begin = clock.nanoTime();
    try {
      long bytes = send(server, messages);
      failure = null;
      metrics.shipped(messages, bytes, clock.currentTimeMillis());
    } catch (IOException | RuntimeException e) {
      LOG.info(
          "{} has not accepted the changes of {} regions yet: {}",
          server,
          messages.size(),
          e.toString());
      failure = e;
    } finally {
      end(server, outgoing, clock.nanoTime() - begin, failure);
    }
  }

  /** Returns the bytes of the request; 0 if the replicas are at this server. */
  private long send(ServerName server, List<ReplicaMessage> messages) throws IOException {
    if (server.equals(self)) {
      local.receive(messages);
      return 0;
    }
    return link.send(server, messages);
  }

  private void end(ServerName server, List<Outgoing> outgoing, long nanos, Throwable failure) {
    if (failure == null) {
      tracker.delivered(server, outgoing, nanos);
    } else if (failure instanceof CallTimeoutException) {
      metrics.callFailed();
      tracker.timedOut(server, outgoing);
    } else if (failure instanceof ConnectException
        || failure instanceof CallQueueTooBigException
        || failure instanceof ConnectionClosedException) {
      metrics.callFailed();
      tracker.unreached(outgoing);
    } else {
      metrics.callFailed();
      tracker.refused(outgoing, failure instanceof NotServingRegionException);
    }
  }
}
