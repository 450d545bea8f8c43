package dev.cairn.server.split;

/**
 * The sizes at which one region is split, bytes of store files.
 *
 * @param maxBytes the size above which a region is split, with the region's own jitter
 * @param initialBytes the size above which the first regions of a table are split
 * @param overallFiles whether the sizes of all families are added up; if not, the largest family
 *     counts
 */
public record SplitSizes(long maxBytes, long initialBytes, boolean overallFiles) {
  /** Tells whether a region is larger than {@code bytes}. */
  boolean exceeds(SplitCandidate region, long bytes) {
    long size = 0;
    for (long store : region.storeBytes()) {
      size = overallFiles ? size + store : Math.max(size, store);
    }
    return size > bytes;
  }
}
