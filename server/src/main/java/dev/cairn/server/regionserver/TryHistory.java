package dev.cairn.server.regionserver;

/**
 * Says whether it is worth trying something whose failure costs time: after two failures in a row
 * not the next time, after three not the next two times, and so on by doubling. Any number of
 * threads; a count that gets lost between two does no harm.
 */
final class TryHistory {
  private static final int PASSED_MAX = 64;

  private int toPass;
  private int nextPassed;

  /** Tells whether to try, and counts an occasion that is passed over. */
  boolean isDue() {
    int left = toPass;
    if (left > 0) {
      toPass = left - 1;
      return false;
    }
    return true;
  }

  /** A try was worth it. */
  void succeeded() {
    nextPassed = 0;
  }

  /** A try failed. */
  void failed() {
    int passed = nextPassed;
    toPass = passed;
    nextPassed = Math.min(PASSED_MAX, Math.max(1, 2 * passed));
  }
}
