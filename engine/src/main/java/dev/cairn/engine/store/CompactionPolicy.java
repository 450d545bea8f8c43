package dev.cairn.engine.store;

import java.util.List;

/**
 * Chooses which files to merge. Pure: sizes in, a range out.
 *
 * <p>A range of neighbouring files qualifies if no file in it is larger than all others of it
 * together times the ratio, so that a large file is not rewritten for the sake of small ones. Of
 * those that qualify the one with most files wins, then the smallest: it lowers the number of files
 * most for the bytes it writes. If more files have gathered than one compaction may merge, the
 * cheapest range is taken although it does not qualify, so that the number stays bounded. The idea
 * is the reference guide's "exploring" policy.
 */
public final class CompactionPolicy {
  private final StoreSettings settings;

  /** Creates the policy. */
  public CompactionPolicy(StoreSettings settings) {
    this.settings = settings;
  }

  /**
   * A range of files, by their positions.
   *
   * @param from the first file
   * @param to index after the last file
   */
  public record Range(int from, int to) {
    /** No files. */
    public static final Range NONE = new Range(0, 0);

    /** Tells whether there is nothing to merge. */
    public boolean isEmpty() {
      return from == to;
    }

    /** Returns the number of files. */
    public int size() {
      return to - from;
    }
  }

  /**
   * Returns the files that a minor compaction should merge.
   *
   * @param sizes the sizes of all files, bytes, oldest first
   * @param nowMillis the time, milliseconds since 1970; other ratios apply at off-peak hours
   */
  public Range select(List<Long> sizes, long nowMillis) {
    double ratio = settings.offPeakRatio().at(nowMillis, settings.compactionRatio());
    Range best = Range.NONE;
    long bestBytes = Long.MAX_VALUE;
    Range cheapest = Range.NONE;
    long cheapestBytes = Long.MAX_VALUE;
    int min = settings.compactionMinFiles();
    for (int from = 0; from + min <= sizes.size(); from++) {
      long bytes = 0;
      long largest = 0;
      int most = Math.min(sizes.size(), from + settings.compactionMaxFiles());
      for (int to = from; to < most; to++) {
        long size = sizes.get(to);
        if (size > settings.compactionMaxBytes()) {
          break;
        }
        bytes += size;
        largest = Math.max(largest, size);
        int count = to + 1 - from;
        if (count < min) {
          continue;
        }
        Range range = new Range(from, to + 1);
        if (qualifies(largest, bytes, ratio)
            && (count > best.size() || count == best.size() && bytes < bestBytes)) {
          best = range;
          bestBytes = bytes;
        }
        if (count == Math.min(settings.compactionMaxFiles(), sizes.size())
            && bytes < cheapestBytes) {
          cheapest = range;
          cheapestBytes = bytes;
        }
      }
    }
    if (best.isEmpty() && sizes.size() > settings.compactionMaxFiles()) {
      return cheapest;
    }
    return best;
  }

  private boolean qualifies(long largest, long bytes, double ratio) {
    return bytes <= settings.compactionMinBytes() || largest <= (bytes - largest) * ratio;
  }
}
