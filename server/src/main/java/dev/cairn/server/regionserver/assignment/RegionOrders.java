package dev.cairn.server.regionserver.assignment;

import dev.cairn.engine.storage.FencingToken;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers the latest order of a master about each region, so that an order that arrives late has
 * no effect: the order to close a region that has been opened here again since, or the order to
 * open one that has been closed here since. Thread-safe.
 */
public final class RegionOrders {
  /** Above this number of regions, the region with the oldest order is forgotten. */
  private static final int REGIONS_MAX = 100_000;

  /** The latest order about a region, by encoded name; the oldest orders first. */
  private final Map<String, FencingToken> latest = new LinkedHashMap<>();

  /**
   * Records an order. An order without a number is accepted and not recorded.
   *
   * @return whether no later order about the region is known. The latest order may arrive again
   */
  public synchronized boolean accept(String encodedName, TransitionReporter.Cause cause) {
    Optional<FencingToken> order = cause.token();
    if (order.isEmpty()) {
      return true;
    }
    FencingToken known = latest.get(encodedName);
    if (known != null && known.compareTo(order.get()) > 0) {
      return false;
    }
    latest.remove(encodedName);
    latest.put(encodedName, order.get());
    if (latest.size() > REGIONS_MAX) {
      latest.remove(latest.keySet().iterator().next());
    }
    return true;
  }
}
