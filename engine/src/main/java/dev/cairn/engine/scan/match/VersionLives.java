package dev.cairn.engine.scan.match;

import java.util.Arrays;

/**
 * The number of versions of one column that were alive at each moment of the write order, as far as
 * it decides whether a family's limit was reached.
 *
 * <p>Moments are sequence numbers; a life goes from one (inclusive) to another (exclusive). As long
 * as there are fewer lives than the limit they are only written down: the usual column has its
 * newest versions alive, and ends there. Beyond that they are counted into a function of steps, in
 * which equal neighbours are one.
 */
final class VersionLives {
  /** The end of a life that has not ended. */
  static final long FOREVER = Long.MAX_VALUE;

  private final int limit;

  /** A lower bound of the number of lives: as many as were added, or fewer. */
  private int lives;

  /** Lives that are not counted in yet. */
  private long[] starts = new long[4];

  private long[] ends = new long[4];
  private int waiting;

  /** The number alive from {@code moments[i]} to {@code moments[i + 1]} is {@code counts[i]}. */
  private long[] moments = {Long.MIN_VALUE, 0, 0, 0};

  private int[] counts = new int[4];
  private int steps = 1;

  /**
   * Begins without lives.
   *
   * @param limit how many lives at a moment are too many for another one
   */
  VersionLives(int limit) {
    this.limit = limit;
  }

  /** Forgets all lives. */
  void clear() {
    lives = 0;
    waiting = 0;
    steps = 1;
    counts[0] = 0;
  }

  /** Adds a life, which is not empty. */
  void add(long start, long end) {
    if (waiting > 0 && starts[waiting - 1] == end) {
      // An earlier write of the same version, or one that may as well be it: one longer life.
      starts[waiting - 1] = start;
      return;
    }
    if (waiting == starts.length) {
      starts = Arrays.copyOf(starts, waiting * 2);
      ends = Arrays.copyOf(ends, waiting * 2);
    }
    starts[waiting] = start;
    ends[waiting++] = end;
    lives++;
  }

  /**
   * Returns the first moment from {@code start} to {@code end} (exclusive) with as many lives as
   * the limit, {@link #FOREVER} if there is none.
   */
  long firstFull(long start, long end) {
    if (lives < limit) {
      return FOREVER;
    }
    for (int i = 0; i < waiting; i++) {
      count(starts[i], ends[i]);
    }
    waiting = 0;
    int step = stepAt(start);
    if (counts[step] >= limit) {
      return start;
    }
    for (step++; step < steps && moments[step] < end; step++) {
      if (counts[step] >= limit) {
        return moments[step];
      }
    }
    return FOREVER;
  }

  private void count(long start, long end) {
    int first = stepFrom(start);
    int behind = end == FOREVER ? steps : stepFrom(end);
    for (int i = first; i < behind; i++) {
      counts[i]++;
    }
    if (behind < steps) {
      joinWithPrevious(behind);
    }
    joinWithPrevious(first);
  }

  /** Returns the last step that begins at or before a moment. */
  private int stepAt(long moment) {
    int at = Arrays.binarySearch(moments, 0, steps, moment);
    return at >= 0 ? at : -at - 2;
  }

  /** Returns the step that begins at a moment, which is made if there is none. */
  private int stepFrom(long moment) {
    int before = stepAt(moment);
    if (moments[before] == moment) {
      return before;
    }
    if (steps == moments.length) {
      moments = Arrays.copyOf(moments, steps * 2);
      counts = Arrays.copyOf(counts, steps * 2);
    }
    int step = before + 1;
    System.arraycopy(moments, step, moments, step + 1, steps - step);
    System.arraycopy(counts, step, counts, step + 1, steps - step);
    steps++;
    moments[step] = moment;
    counts[step] = counts[before];
    return step;
  }

  private void joinWithPrevious(int step) {
    if (step > 0 && counts[step] == counts[step - 1]) {
      steps--;
      System.arraycopy(moments, step + 1, moments, step, steps - step);
      System.arraycopy(counts, step + 1, counts, step, steps - step);
    }
  }
}
