package dev.cairn.engine.storage;

import java.util.random.RandomGenerator;

/**
 * Decides which of a file's unsynced bytes survive a power cut, as on real disks and file systems:
 * the file has any length between the synced and the written one; of the bytes in between, any set
 * of sectors has arrived, in any order, one of them perhaps in part; all others are zeros.
 */
final class UnsyncedBytes {
  private static final int SECTOR_SIZE = 512;
  private static final int PAGE_SIZE = 4096;

  /** Takes a range of bytes that did not arrive. */
  @FunctionalInterface
  interface Lost {
    /** Receives the range from {@code from} to {@code to} (exclusive). */
    void range(long from, long to);
  }

  private enum Pattern {
    ALL_ARRIVED,
    NONE_ARRIVED,
    FRONT_ARRIVED,
    BACK_ARRIVED,
    SECTORS_MISSING,
    PAGES_MISSING
  }

  private final RandomGenerator random;
  private final long begin;
  private final long end;
  private final Pattern pattern;

  /** Decides for a file of {@code synced} durable bytes and {@code written} bytes in all. */
  UnsyncedBytes(RandomGenerator random, long synced, long written) {
    this.random = random;
    this.begin = synced;
    this.end = length(random, synced, written);
    this.pattern = Pattern.values()[random.nextInt(Pattern.values().length)];
  }

  private static long length(RandomGenerator random, long synced, long written) {
    long any = synced + random.nextLong(written - synced + 1);
    return switch (random.nextInt(4)) {
      case 0 -> written;
      case 1 -> Math.max(synced, any / SECTOR_SIZE * SECTOR_SIZE);
      case 2 -> Math.max(synced, any / PAGE_SIZE * PAGE_SIZE);
      default -> any;
    };
  }

  /** Returns the length of the file. */
  long end() {
    return end;
  }

  /** Receives each range after the synced bytes that holds zeros instead of the written bytes. */
  void eachLost(Lost lost) {
    if (begin == end) {
      return;
    }
    // Anywhere, not only between two sectors: the one that was being written may be torn.
    long torn = begin + random.nextLong(end - begin + 1);
    switch (pattern) {
      case ALL_ARRIVED -> {}
      case NONE_ARRIVED -> lost.range(begin, end);
      case FRONT_ARRIVED -> lost.range(torn, end);
      case BACK_ARRIVED -> lost.range(begin, torn);
      case SECTORS_MISSING -> someLost(SECTOR_SIZE, lost);
      case PAGES_MISSING -> someLost(PAGE_SIZE, lost);
    }
  }

  private void someLost(int size, Lost lost) {
    int oneIn = 1 + random.nextInt(8);
    for (long at = begin; at < end; at = (at / size + 1) * size) {
      if (random.nextInt(oneIn) == 0) {
        lost.range(at, Math.min(end, (at / size + 1) * size));
      }
    }
  }
}
