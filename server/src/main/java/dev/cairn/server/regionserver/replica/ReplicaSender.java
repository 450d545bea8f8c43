package dev.cairn.server.regionserver.replica;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.replica.RegionCopies.Outgoing;
import dev.cairn.server.regionserver.replica.ReplicaLink.Location;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
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
 * <p>Thread-safe. The lock is not held during calls.
 */
public final class ReplicaSender {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaSender.class);

  /** The time between two looks for changes. */
  public static final long CHECK_MILLIS = 100;

  /** A call takes no further region after this many bytes of changes. */
  private static final long CALL_BYTES_MAX = 2 << 20;

  /** The maximum bytes of the changes of one region in a call. A single change may be larger. */
  private static final long REGION_BYTES_MAX = 512 << 10;

  /** The maximum regions of one call. */
  private static final int CALL_REGIONS_MAX = 1_000;

  private final ServerName self;
  private final OnlineRegions regions;
  private final ReplicaLink link;
  private final ReplicaReceiver local;
  private final Consumer<HostedRegion> flush;
  private final Executor executor;
  private final Clock clock;

  // Guarded by this.
  /** By encoded name, in the order of their last messages. */
  private final Map<String, RegionCopies> copies = new LinkedHashMap<>();

  private final Set<ServerName> calls = new HashSet<>();
  private boolean isLocating;

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
      Clock clock) {
    this.self = self;
    this.regions = regions;
    this.link = link;
    this.local = local;
    this.flush = flush;
    this.executor = executor;
    this.clock = clock;
  }

  /**
   * Notes that a replica has been opened. It lacks the changes in its region's memory.
   *
   * @param region the region's encoded name
   * @throws NotServingRegionException if the region is not here
   */
  public void greeted(String region, int replicaId) throws NotServingRegionException {
    HostedRegion open = regions.find(region);
    synchronized (this) {
      RegionCopies known = copies.get(region);
      if (known != null && known.region() == open) {
        known.greeted(replicaId);
      }
    }
  }

  /** Tells whether {@link #check} has something to do. */
  public synchronized boolean isDue() {
    long now = clock.currentTimeMillis();
    int open = 0;
    for (HostedRegion region : regions.open()) {
      if (isConcerned(region)) {
        open++;
        RegionCopies known = copies.get(region.encodedName());
        if (known == null || known.region() != region || isDue(known, now)) {
          return true;
        }
      }
    }
    return open < copies.size();
  }

  /** A region that refuses every call has no files that its replicas could take over. */
  private static boolean isConcerned(HostedRegion region) {
    return region.hasReplicas() && region.refusal().isEmpty();
  }

  private static boolean isDue(RegionCopies region, long now) {
    if (region.isLocateDue(now)) {
      return true;
    }
    for (RegionCopy copy : region.copies()) {
      if (region.isDue(copy, now)) {
        return true;
      }
    }
    return region.isFlushDue(now);
  }

  /** Begins the lookups, flushes and messages that are due. */
  public void check() {
    List<RegionCopies> unlocated = new ArrayList<>();
    List<HostedRegion> unflushed = new ArrayList<>();
    synchronized (this) {
      long now = clock.currentTimeMillis();
      takeOpen();
      for (RegionCopies region : copies.values()) {
        if (region.isLocateDue(now)) {
          unlocated.add(region);
        }
        if (region.takeFlush(now)) {
          unflushed.add(region.region());
        }
        region.trim();
      }
      if (isLocating) {
        unlocated.clear();
      }
      isLocating |= !unlocated.isEmpty();
    }
    unflushed.forEach(flush);
    if (!unlocated.isEmpty()) {
      run(() -> locate(unlocated), this::endLocating);
    }
    callAll();
  }

  private void takeOpen() {
    Set<String> open = new HashSet<>();
    for (HostedRegion region : regions.open()) {
      if (isConcerned(region)) {
        open.add(region.encodedName());
        RegionCopies known = copies.get(region.encodedName());
        if (known == null || known.region() != region) {
          copies.put(region.encodedName(), new RegionCopies(region));
        }
      }
    }
    copies.keySet().retainAll(open);
  }

  private void run(Runnable task, Runnable unrun) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException e) {
      unrun.run(); // The server is going down.
    }
  }

  private synchronized void endLocating() {
    isLocating = false;
  }

  private void locate(List<RegionCopies> unlocated) {
    try {
      boolean answers = true;
      for (RegionCopies region : unlocated) {
        // If hbase:meta does not answer, the next lookups would wait as long.
        answers = answers && isMetaAnswering(region);
        if (!answers) {
          failed(region);
        }
      }
    } finally {
      endLocating();
    }
    callAll();
  }

  /** Looks up the replicas of a region; tells whether the next region can be looked up. */
  private boolean isMetaAnswering(RegionCopies region) {
    long version = region.region().files().version();
    try {
      List<Location> locations = link.locate(region.region().info());
      synchronized (this) {
        region.located(locations, version);
      }
      return true;
    } catch (IOException e) {
      LOG.debug("The replicas of {} cannot be located: {}", region.region(), e.toString());
      return false;
    } catch (RuntimeException e) {
      LOG.warn("The replicas of {} cannot be located", region.region(), e);
      failed(region);
      return true;
    }
  }

  private synchronized void failed(RegionCopies region) {
    region.locateFailed(clock.currentTimeMillis());
  }

  /** Begins to call each server for which a message is due, unless a call to it is running. */
  private void callAll() {
    Set<ServerName> due = new LinkedHashSet<>();
    synchronized (this) {
      long now = clock.currentTimeMillis();
      for (RegionCopies region : copies.values()) {
        for (RegionCopy copy : region.copies()) {
          if (!calls.contains(copy.server()) && region.isDue(copy, now)) {
            due.add(copy.server());
          }
        }
      }
      calls.addAll(due);
    }
    for (ServerName server : due) {
      run(() -> callWhileDue(server), () -> ended(server));
    }
  }

  private synchronized void ended(ServerName server) {
    calls.remove(server);
  }

  private void callWhileDue(ServerName server) {
    boolean isEnded = false;
    try {
      while (!isEnded) {
        List<Outgoing> messages = next(server);
        isEnded = messages.isEmpty();
        if (!isEnded) {
          call(server, messages);
        }
      }
    } finally {
      if (!isEnded) {
        ended(server);
      }
    }
  }

  /** Returns the messages of the next call; an empty list ends the series of calls. */
  private synchronized List<Outgoing> next(ServerName server) {
    long now = clock.currentTimeMillis();
    List<Outgoing> messages = new ArrayList<>();
    long bytes = 0;
    for (RegionCopies region : copies.values()) {
      for (RegionCopy copy : region.copies()) {
        if (copy.server().equals(server) && region.isDue(copy, now)) {
          Outgoing message = region.next(copy, REGION_BYTES_MAX);
          if (copy.isAlone()) {
            return List.of(message);
          }
          messages.add(message);
          bytes += message.bytes();
        }
      }
      if (bytes >= CALL_BYTES_MAX || messages.size() >= CALL_REGIONS_MAX) {
        break;
      }
    }
    if (messages.isEmpty()) {
      calls.remove(server);
    }
    for (Outgoing message : messages) {
      String region = message.copies().region().encodedName();
      copies.put(region, copies.remove(region));
    }
    return messages;
  }

  private void call(ServerName server, List<Outgoing> outgoing) {
    List<ReplicaMessage> messages = outgoing.stream().map(Outgoing::message).toList();
    Throwable failure = new IllegalStateException("The call met a programming error");
    try {
      if (server.equals(self)) {
        local.receive(messages);
      } else {
        link.send(server, messages);
      }
      failure = null;
    } catch (IOException | RuntimeException e) {
      LOG.info(
          "{} has not accepted the changes of {} regions yet: {}",
          server,
          messages.size(),
          e.toString());
      failure = e;
    } finally {
      end(outgoing, failure);
    }
  }

  private synchronized void end(List<Outgoing> outgoing, Throwable failure) {
    if (failure == null) {
      outgoing.forEach(Outgoing::delivered);
    } else {
      failed(outgoing, failure);
    }
  }

  private void failed(List<Outgoing> outgoing, Throwable cause) {
    long now = clock.currentTimeMillis();
    boolean isUnreached =
        cause instanceof ConnectException
            || cause instanceof CallTimeoutException
            || cause instanceof ConnectionClosedException;
    for (Outgoing message : outgoing) {
      if (isUnreached) {
        message.copies().unreached(message.copy(), now);
      } else if (outgoing.size() > 1) {
        message.copy().perhapsRefused();
      } else {
        message.copies().refused(message.copy(), now);
      }
    }
  }
}
