package dev.cairn.coprocessor.facade;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The facades of a process's open regions that have coprocessors. Thread-safe. */
public final class OpenRegions {
  private final Map<String, RegionFacade> regions = new ConcurrentHashMap<>();

  /** Adds a region that has opened. */
  public void opened(RegionFacade region) {
    regions.put(region.getRegionInfo().getEncodedName(), region);
  }

  /** Removes a region that closes. */
  public void closed(RegionFacade region) {
    regions.remove(region.getRegionInfo().getEncodedName(), region);
  }

  Optional<RegionFacade> find(String encodedName) {
    return Optional.ofNullable(regions.get(encodedName));
  }
}
