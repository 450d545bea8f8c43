package dev.cairn.server.regionserver.replica;

import dev.cairn.engine.region.follow.FollowerMemory.Flushed;
import dev.cairn.engine.region.state.RegionClosedException;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.hosted.ReplicaRegion;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets the replicas of this server take over the files of their regions. Thread-safe. */
public final class ReplicaRefresh {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaRefresh.class);

  /** The time between two looks at all replicas. */
  public static final ConfigKey<Long> PERIOD_MILLIS =
      ConfigKey.number(
          "hbase.regionserver.storefile.refresh.period",
          0,
          0,
          Integer.MAX_VALUE,
          "Time after which each replica of a region looks for new store files of the region, in"
              + " milliseconds, at most half of hbase.master.hfilecleaner.ttl. 0 means that only"
              + " the region's server, which tells of each change of the files, makes it look.");

  /** The time between two looks at the replicas of {@code hbase:meta}. */
  public static final ConfigKey<Long> META_PERIOD_MILLIS =
      ConfigKey.number(
          "hbase.regionserver.meta.storefile.refresh.period",
          0,
          0,
          Integer.MAX_VALUE,
          "Like hbase.regionserver.storefile.refresh.period, but only for replicas of hbase:meta."
              + " Has no effect if that key is above 0, because that key also applies to them.");

  private final OnlineRegions regions;
  private final Clock clock;
  private final Periods periods;
  private final long staleMillis;
  private final Consumer<String> refusing;

  /**
   * Creates it.
   *
   * @param periods the times between two refreshes of a replica
   * @param staleMillis the time after which a replica that cannot be refreshed refuses reads
   * @param refusing requests a new opening of a replica that refuses every call; gets its encoded
   *     name; must not block
   */
  public ReplicaRefresh(
      OnlineRegions regions,
      Clock clock,
      Periods periods,
      long staleMillis,
      Consumer<String> refusing) {
    this.regions = regions;
    this.clock = clock;
    this.periods = periods;
    this.staleMillis = staleMillis;
    this.refusing = refusing;
  }

  /**
   * The times between two refreshes of a replica, in milliseconds; 0 for none.
   *
   * @param allMillis of each replica
   * @param metaMillis of the replicas of {@code hbase:meta}, if {@code allMillis} is 0
   */
  public record Periods(long allMillis, long metaMillis) {
    /** Returns a site's periods. */
    public static Periods of(SiteConfig config) {
      return new Periods(config.get(PERIOD_MILLIS), config.get(META_PERIOD_MILLIS));
    }

    /** Returns the period of a table's replicas; 0 for none. */
    long of(TableName table) {
      return allMillis == 0 && table.isMeta() ? metaMillis : allMillis;
    }
  }

  /** Returns all keys of this class. */
  public static List<ConfigKey<?>> keys() {
    return List.of(PERIOD_MILLIS, META_PERIOD_MILLIS);
  }

  /** Returns the time between two checks, milliseconds. */
  public long checkMillis() {
    long failing = staleMillis / 10 + 1;
    if (periods.allMillis() > 0) {
      return periods.allMillis();
    }
    return periods.metaMillis() > 0 ? Math.min(periods.metaMillis(), failing) : failing;
  }

  /** Refreshes all replicas; without a period, those whose last refresh failed. */
  public void check() {
    for (HostedRegion region : regions.open()) {
      region
          .replica()
          .filter(replica -> periods.of(region.info().table()) > 0 || replica.isFailing())
          .ifPresent(replica -> tryRefresh(region, replica));
    }
  }

  /** A read of a region's files has met a file that is gone: refreshes the region's replicas. */
  public void lost(String encodedName) {
    for (HostedRegion region : regions.open()) {
      region
          .replica()
          .filter(replica -> region.info().replica(0).encodedName().equals(encodedName))
          .ifPresent(replica -> tryRefresh(region, replica));
    }
  }

  private void tryRefresh(HostedRegion region, ReplicaRegion replica) {
    try {
      refresh(region, replica, Optional.empty());
    } catch (RegionClosedException e) {
      LOG.debug("{} closes", region);
    } catch (IOException e) {
      LOG.warn("{} does not see the present files of its region: {}", region, e.toString());
    }
  }

  /**
   * Returns a replica. If it refuses every call, requests a new opening: its data may have seemed
   * damaged only because the region's owner changed files at the same time.
   *
   * @throws IOException if it refuses every call
   */
  ReplicaRegion open(HostedRegion region) throws IOException {
    if (region.replica().isEmpty()) {
      refusing.accept(region.encodedName());
      throw new IOException(region + " is to be opened again: " + region.refusal().orElse(""));
    }
    return region.replica().get();
  }

  /**
   * Refreshes one replica.
   *
   * @param replica the replica of {@code region}
   * @param flushed the flushed numbers of its region; empty if the region's server did not send
   *     them
   */
  void refresh(HostedRegion region, ReplicaRegion replica, Optional<Flushed> flushed)
      throws IOException {
    boolean done = false;
    try {
      if (replica.refresh(flushed, clock.currentTimeMillis())) {
        LOG.debug("{} sees new files", region);
      }
      done = true;
    } finally {
      if (!done) {
        replica.refuseIfStale(clock.currentTimeMillis(), staleMillis);
      }
    }
  }
}
