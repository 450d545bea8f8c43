package dev.cairn.server.regionserver.maintenance;

import dev.cairn.server.regionserver.hosted.HostedRegion;

/** Checks a region whose files have changed. */
@FunctionalInterface
public interface SplitCheck {
  /**
   * Asks the master to split the region if its policy says so.
   *
   * @return whether the master is asked
   */
  boolean requestIfDue(HostedRegion region);
}
