package dev.cairn.server.regionserver.report;

import dev.cairn.engine.region.RegionFiles;
import dev.cairn.engine.storage.Storage.BlockLocation;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks how much of each region's files lies on this machine. {@link #check} asks the storage for
 * files that are new, and again for each file after a while, since blocks move. Thread-safe.
 */
public final class Localities {
  private static final Logger LOG = LoggerFactory.getLogger(Localities.class);
  private static final long VALID_MILLIS = Duration.ofMinutes(10).toMillis();

  private final String host;
  private final Clock clock;
  private final Map<String, Known> files = new ConcurrentHashMap<>();

  /** The addresses and names of this machine; empty until first needed. */
  private volatile Set<String> self = Set.of();

  /**
   * Bytes of files.
   *
   * @param local the bytes that this machine has a copy of
   * @param total all bytes
   */
  public record Share(long local, long total) {
    public static final Share NONE = new Share(0, 0);

    Share plus(Share other) {
      return new Share(local + other.local, total + other.total);
    }

    /** Returns the part that is local, 0 if there are no bytes. */
    public float ratio() {
      return total == 0 ? 0 : (float) ((double) local / total);
    }
  }

  private record Known(Share share, long sinceMillis) {}

  /**
   * Creates it without files.
   *
   * @param host the name of this machine as other machines know it
   */
  public Localities(String host, Clock clock) {
    this.host = host;
    this.clock = clock;
  }

  /** Returns the share of a region's files, as {@link #check} last saw them. */
  public Share of(RegionFiles region) {
    Share sum = Share.NONE;
    for (String path : region.paths()) {
      Known known = files.get(path);
      sum = known == null ? sum : sum.plus(known.share());
    }
    return sum;
  }

  /** Asks for the files of all open regions that are new or due, and forgets all others. */
  public void check(Collection<RegionFiles> regions) {
    long now = clock.currentTimeMillis();
    Set<String> present = new HashSet<>();
    for (RegionFiles region : regions) {
      for (String path : region.paths()) {
        Known known = files.get(path);
        if (present.add(path) && (known == null || now - known.sinceMillis() >= VALID_MILLIS)) {
          ask(region, path, now);
        }
      }
    }
    files.keySet().retainAll(present);
  }

  private void ask(RegionFiles region, String path, long now) {
    try {
      files.put(path, new Known(share(region.locations(path)), now));
    } catch (IOException e) {
      // It may be gone after a compaction, or the next look succeeds.
      LOG.debug("The locations of the blocks of {} are unknown: {}", path, e.toString());
    }
  }

  private Share share(List<BlockLocation> blocks) {
    Share sum = Share.NONE;
    for (BlockLocation block : blocks) {
      boolean local = !Collections.disjoint(block.hosts(), self());
      sum = sum.plus(new Share(local ? block.length() : 0, block.length()));
    }
    return sum;
  }

  private Set<String> self() {
    if (self.isEmpty()) {
      Set<String> names = new HashSet<>();
      names.add(host);
      try {
        for (InetAddress address : InetAddress.getAllByName(host)) {
          names.add(address.getHostAddress());
          names.add(address.getCanonicalHostName());
        }
      } catch (UnknownHostException e) {
        LOG.debug("{} has no address", host);
      }
      self = Set.copyOf(names);
    }
    return self;
  }
}
