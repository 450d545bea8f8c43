package dev.cairn.server.regionserver.replica;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.replica.RegionCopies.Outgoing;
import dev.cairn.server.regionserver.replica.ReplicaLink.Location;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tracks the replicas of this server's regions, and which lookups, flushes and messages are due.
 * Does no I/O.
 *
 * <p>Thread-safe. The lock guards all {@link RegionCopies}.
 */
final class CopyTracker {
  /** A call takes no further region after this many bytes of changes. */
  private static final long CALL_BYTES_MAX = 2 << 20;

  /** The maximum bytes of the changes of one region in a call. A single change may be larger. */
  private static final long REGION_BYTES_MAX = 512 << 10;

  private final OnlineRegions regions;
  private final ReplicaLink link;
  private final Clock clock;

  // Guarded by this.
  /** By encoded name, in the order of their last messages. */
  private final Map<String, RegionCopies> copies = new LinkedHashMap<>();

  /** The servers to which a series of calls is running. */
  private final Set<ServerName> calls = new HashSet<>();

  private final CallSizes sizes = new CallSizes();

  private boolean isLocating;

  CopyTracker(OnlineRegions regions, ReplicaLink link, Clock clock) {
    this.regions = regions;
    this.link = link;
    this.clock = clock;
  }

  /** Notes that a replica has been opened. It lacks the changes in its region's memory. */
  synchronized void greeted(HostedRegion region, int replicaId) {
    RegionCopies known = copies.get(region.encodedName());
    if (known != null && known.region() == region) {
      known.greeted(replicaId);
    }
  }

  /** Notes that a replica has asked for a flush of its region. */
  synchronized void flushAsked(HostedRegion region) {
    RegionCopies known = copies.get(region.encodedName());
    if (known != null && known.region() == region) {
      known.flushAsked();
    }
  }

  /** Tells whether something is due. */
  synchronized boolean isDue() {
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

  private boolean isOutdated(RegionCopies region) {
    return link.isOutdated(region.region().info(), region::locations);
  }

  private boolean isDue(RegionCopies region, long now) {
    if (region.isLocateDue(now) || isOutdated(region)) {
      return true;
    }
    for (RegionCopy copy : region.copies()) {
      if (region.isDue(copy, now)) {
        return true;
      }
    }
    return region.isFlushDue(now);
  }

  /**
   * The work that is due.
   *
   * @param lookups regions whose replicas must be looked up. Unless it is empty, the caller must
   *     look them up, and then call {@link #endLocating}
   * @param flushes regions to flush
   */
  record Due(List<RegionCopies> lookups, List<HostedRegion> flushes) {}

  /** Takes over the open regions, and returns the lookups and flushes that are due. */
  synchronized Due take() {
    long now = clock.currentTimeMillis();
    takeOpen();
    List<RegionCopies> lookups = new ArrayList<>();
    List<HostedRegion> flushes = new ArrayList<>();
    for (RegionCopies region : copies.values()) {
      if (isOutdated(region)) {
        region.moved();
      }
      if (region.isLocateDue(now)) {
        lookups.add(region);
      }
      if (region.takeFlush(now)) {
        flushes.add(region.region());
      }
      region.trim();
    }
    if (isLocating) {
      lookups.clear();
    }
    isLocating |= !lookups.isEmpty();
    return new Due(lookups, flushes);
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
    if (!sizes.isEmpty()) {
      sizes.keep(servers());
    }
  }

  private Set<ServerName> servers() {
    Set<ServerName> servers = new HashSet<>();
    for (RegionCopies region : copies.values()) {
      region.copies().forEach(copy -> servers.add(copy.server()));
    }
    return servers;
  }

  synchronized void endLocating() {
    isLocating = false;
  }

  /**
   * Takes over the locations of a region's replicas.
   *
   * @param version the version of the region's files before the lookup
   */
  synchronized void located(RegionCopies region, List<Location> locations, long version) {
    region.located(locations, version);
  }

  synchronized void locateFailed(RegionCopies region) {
    region.locateFailed(clock.currentTimeMillis());
  }

  /**
   * Returns the servers for which a message is due and to which no call is running. The caller must
   * begin a series of calls to each, which ends with an empty {@link #next} or with {@link #ended}.
   */
  synchronized Set<ServerName> beginCalls() {
    Set<ServerName> due = new LinkedHashSet<>();
    long now = clock.currentTimeMillis();
    for (RegionCopies region : copies.values()) {
      for (RegionCopy copy : region.copies()) {
        if (!calls.contains(copy.server()) && region.isDue(copy, now)) {
          due.add(copy.server());
        }
      }
    }
    calls.addAll(due);
    return due;
  }

  synchronized void ended(ServerName server) {
    calls.remove(server);
  }

  /** Returns the messages of the next call; an empty list ends the series of calls. */
  synchronized List<Outgoing> next(ServerName server) {
    long now = clock.currentTimeMillis();
    List<Outgoing> messages = new ArrayList<>();
    int messagesMax = sizes.messagesMax(server);
    long bytes = 0;
    for (RegionCopies region : copies.values()) {
      for (RegionCopy copy : region.copies()) {
        if (copy.server().equals(server) && region.isDue(copy, now)) {
          Optional<Outgoing> message = region.next(copy, REGION_BYTES_MAX);
          if (message.isPresent() && copy.isAlone()) {
            return List.of(message.get());
          }
          message.ifPresent(messages::add);
          bytes += message.map(Outgoing::bytes).orElse(0L);
        }
      }
      if (bytes >= CALL_BYTES_MAX || messages.size() >= messagesMax) {
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

  /** Notes that replicas have the messages of a call that took {@code nanos}. */
  synchronized void delivered(ServerName server, List<Outgoing> messages, long nanos) {
    sizes.accepted(server, messages.size(), nanos);
    messages.forEach(Outgoing::delivered);
  }

  /** Notes that a server has not answered a call in time. */
  synchronized void timedOut(ServerName server, List<Outgoing> messages) {
    sizes.timedOut(server, messages.size());
    unreached(messages);
  }

  /** Notes that a call did not reach its server. */
  synchronized void unreached(List<Outgoing> messages) {
    long now = clock.currentTimeMillis();
    messages.forEach(message -> message.copies().unreached(message.copy(), now));
  }

  /**
   * Notes that a server has not accepted all messages of a call.
   *
   * @param isAbsent whether a replica is not open there
   */
  synchronized void refused(List<Outgoing> messages, boolean isAbsent) {
    long now = clock.currentTimeMillis();
    for (Outgoing message : messages) {
      if (messages.size() > 1) {
        message.copy().perhapsRefused();
      } else if (isAbsent) {
        message.copies().unreached(message.copy(), now);
      } else {
        message.copies().refused(message.copy(), now);
      }
    }
  }
}
