package dev.cairn.server.master.remote;

import dev.cairn.server.catalog.ServerName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerLoad;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * The region servers that are registered, and those that were. A registered server gets regions
 * once it is accepted: the master has checked it, for example its clock. Owned by the loop.
 */
public final class OnlineServers {
  /** The number of dead servers above which recovered ones are forgotten. */
  static final int DEAD_MAX = 100;

  private final Map<ServerName, ServerLoad> live = new TreeMap<>();

  /** The last reports of live servers, as they came. */
  private final Map<ServerName, ServerLoad> reports = new HashMap<>();

  /** The regions of the last reports, indexed when they are first asked for. */
  private final Map<ServerName, RegionIndex> indexes = new HashMap<>();

  private final Set<ServerName> accepted = new HashSet<>();

  /** The live servers that have refused regions because they stop. */
  private final Set<ServerName> suspended = new HashSet<>();

  /**
   * The servers that were given up, in that order. A server without an entry here counts as new if
   * it is registered.
   */
  private final Set<ServerName> dead = new LinkedHashSet<>();

  /** Those of {@link #dead} whose recovery has not ended. */
  private final Set<ServerName> unrecovered = new HashSet<>();

  /** The registrations at the last {@link #update}. */
  private Set<ServerName> registered = Set.of();

  /** The last reports of servers whose logs are not recovered, by the regions' full names. */
  private final Map<ServerName, Map<ByteString, RegionLoad>> left = new HashMap<>();

  /**
   * The regions of a report.
   *
   * @param regions by their full names
   */
  private record RegionIndex(ServerLoad load, Map<ByteString, RegionLoad> regions) {
    static RegionIndex of(ServerLoad load) {
      Map<ByteString, RegionLoad> regions = new HashMap<>();
      load.getRegionLoadsList()
          .forEach(region -> regions.put(region.getRegionSpecifier().getValue(), region));
      return new RegionIndex(load, regions);
    }
  }

  /** The servers that came and went. */
  public record Difference(List<ServerName> came, List<ServerName> went) {}

  /** Takes the present registrations. */
  public Difference update(Set<ServerName> now) {
    registered = Set.copyOf(now);
    List<ServerName> came = new ArrayList<>();
    for (ServerName server : now) {
      // A server that was given up stays dead, though its registration may linger.
      if (!dead.contains(server) && !live.containsKey(server)) {
        live.put(server, ServerLoad.getDefaultInstance());
        came.add(server);
      }
    }
    List<ServerName> went = live.keySet().stream().filter(s -> !now.contains(s)).toList();
    went.forEach(this::bury);
    forgetOldest();
    return new Difference(came, went);
  }

  /** Returns the earlier lives, still registered, of the server that {@code server} is now. */
  public List<ServerName> earlierLives(ServerName server) {
    return live.keySet().stream().filter(server::isLaterLifeOf).toList();
  }

  /** Tells whether a registered server has the address of {@code server}, which it had before. */
  public boolean isReplaced(ServerName server) {
    return live.keySet().stream().anyMatch(other -> other.isLaterLifeOf(server));
  }

  /** Declares a server dead. Returns whether it was alive until now. */
  public boolean bury(ServerName server) {
    ServerLoad last = live.remove(server);
    if (last != null) {
      left.put(server, RegionIndex.of(last).regions());
    }
    indexes.remove(server);
    reports.remove(server);
    accepted.remove(server);
    suspended.remove(server);
    dead.add(server);
    unrecovered.add(server);
    return last != null;
  }

  /** Forgets the oldest dead servers if there are too many. */
  private void forgetOldest() {
    Iterator<ServerName> oldest = dead.iterator();
    while (dead.size() > DEAD_MAX && oldest.hasNext()) {
      if (isForgettable(oldest.next())) {
        oldest.remove();
      }
    }
  }

  private boolean isForgettable(ServerName server) {
    return !unrecovered.contains(server) && !registered.contains(server);
  }

  /** Tells whether a server is registered and not declared dead. */
  public boolean isLive(ServerName server) {
    return live.containsKey(server);
  }

  /** Accepts a server, registered or not yet. Returns whether it gets regions from now on. */
  public boolean accept(ServerName server) {
    return accepted.add(server) && isLive(server);
  }

  /** Gives a live server no regions until {@link #resume}. Returns whether this is a change. */
  public boolean suspend(ServerName server) {
    return isLive(server) && suspended.add(server);
  }

  /** Ends {@link #suspend}. Returns whether the server may get regions from now on. */
  public boolean resume(ServerName server) {
    return suspended.remove(server) && isReady(server);
  }

  /** Tells whether a server is alive and accepted. */
  public boolean isAccepted(ServerName server) {
    return isLive(server) && accepted.contains(server);
  }

  /** Tells whether a server is alive, accepted and not suspended. */
  public boolean isReady(ServerName server) {
    return isAccepted(server) && !suspended.contains(server);
  }

  /** Returns the servers that are alive, accepted and not suspended, ordered by name. */
  public List<ServerName> ready() {
    return live.keySet().stream().filter(this::isReady).toList();
  }

  /** Tells whether a server was declared dead and is not forgotten. */
  public boolean isDead(ServerName server) {
    return dead.contains(server);
  }

  /** Tells whether a server is alive, or was declared dead and is not forgotten. */
  public boolean isKnown(ServerName server) {
    return isLive(server) || isDead(server);
  }

  /** Keeps a server's report. Returns false if the server is not alive. */
  public boolean report(ServerName server, ServerLoad load) {
    boolean isLive = live.replace(server, load) != null;
    if (isLive) {
      reports.put(server, load);
    }
    return isLive;
  }

  /** Replaces a server's last report of its regions by a newer one. */
  public void refresh(ServerName server, List<RegionLoad> regions) {
    live.computeIfPresent(
        server,
        (name, load) -> load.toBuilder().clearRegionLoads().addAllRegionLoads(regions).build());
  }

  /** Returns the servers that are alive, ordered by name. */
  public Set<ServerName> all() {
    return live.keySet();
  }

  /** Returns a live server's last report. */
  public Optional<ServerLoad> load(ServerName server) {
    return Optional.ofNullable(live.get(server));
  }

  /** Returns a live server's last report without what {@link #refresh} replaced. */
  public Optional<ServerLoad> lastReport(ServerName server) {
    return Optional.ofNullable(reports.get(server));
  }

  /**
   * Returns a live server's last report about one region.
   *
   * @param name the region's full name
   */
  public Optional<RegionLoad> load(ServerName server, byte[] name) {
    ServerLoad load = live.get(server);
    if (load == null) {
      return Optional.empty();
    }
    RegionIndex index = indexes.get(server);
    if (index == null || index.load() != load) {
      index = RegionIndex.of(load);
      indexes.put(server, index);
    }
    return Optional.ofNullable(index.regions().get(UnsafeByteOperations.unsafeWrap(name)));
  }

  /**
   * Returns the last reports about a region by dead servers whose logs are not recovered.
   *
   * @param name the full name
   */
  public List<RegionLoad> lastReports(byte[] name) {
    ByteString key = UnsafeByteOperations.unsafeWrap(name);
    return left.values().stream()
        .map(regions -> regions.get(key))
        .filter(Objects::nonNull)
        .toList();
  }

  /**
   * Notes that a dead server's log is recovered, and that the server can no longer answer clients.
   * Removes its last report.
   */
  public void recovered(ServerName server) {
    left.remove(server);
    unrecovered.remove(server);
    forgetOldest();
  }

  /** Returns the dead servers without a live server at the same address. */
  public List<ServerName> dead() {
    return dead.stream()
        .filter(server -> live.keySet().stream().noneMatch(server::sameAddress))
        .toList();
  }

  /** Forgets a dead server, unless it is registered or not recovered. */
  public void forgetDead(ServerName server) {
    if (isForgettable(server)) {
      dead.remove(server);
    }
  }
}
