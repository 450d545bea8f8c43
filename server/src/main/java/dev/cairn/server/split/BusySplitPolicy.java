package dev.cairn.server.split;

import dev.cairn.server.split.SplitPolicy.Candidate;
import dev.cairn.server.split.SplitPolicy.Increasing;

/**
 * Splits as {@link Increasing} does, and also a region that refuses too large a share of its writes
 * because its memstores are full.
 *
 * <p>The share is a weighted mean of the last complete window and the current one; the weight of
 * the current window grows with its age.
 */
final class BusySplitPolicy implements SplitPolicy {
  /**
   * The conditions under which a region is busy.
   *
   * @param blockedShare the share of refused writes from which a region is busy, 0 to 1
   * @param minAgeMillis how long after its opening a region is not split for this reason
   * @param windowMillis the time over which the share is measured
   */
  record Limits(double blockedShare, long minAgeMillis, long windowMillis) {}

  private final Increasing size;
  private final Limits limits;
  private final long openedMillis;
  private long windowBeganMillis;
  private long writesBefore;
  private long blockedBefore;
  private double shareBefore;

  BusySplitPolicy(Increasing size, Limits limits, long openedMillis) {
    this.size = size;
    this.limits = limits;
    this.openedMillis = openedMillis;
    this.windowBeganMillis = openedMillis;
  }

  @Override
  public synchronized boolean shouldSplit(Candidate region) {
    double share = blockedShare(region);
    boolean grown = region.nowMillis() - openedMillis > limits.minAgeMillis();
    return size.shouldSplit(region) || grown && share >= limits.blockedShare();
  }

  private double blockedShare(Candidate region) {
    long blocked = region.blockedWrites() - blockedBefore;
    double share =
        blocked == 0 ? 0 : blocked / (double) Math.max(1, region.writes() - writesBefore);
    long elapsed = region.nowMillis() - windowBeganMillis;
    if (elapsed >= limits.windowMillis()) {
      shareBefore = share;
      windowBeganMillis = region.nowMillis();
      writesBefore = region.writes();
      blockedBefore = region.blockedWrites();
      return share;
    }
    if (region.nowMillis() - openedMillis < limits.windowMillis()) {
      return 0;
    }
    double progress = elapsed / (double) limits.windowMillis();
    return (1 - progress) * shareBefore + progress * share;
  }
}
