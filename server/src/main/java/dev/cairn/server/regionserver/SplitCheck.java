package dev.cairn.server.regionserver;

/** Checks a region whose files have changed. */
@FunctionalInterface
interface SplitCheck {
  /**
   * Asks the master to split the region if its policy says so.
   *
   * @return whether the master is asked
   */
  boolean requestIfDue(HostedRegion region);
}
