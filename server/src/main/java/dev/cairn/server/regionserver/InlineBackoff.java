package dev.cairn.server.regionserver;

/**
 * Decides whether to try a call on its network thread, because a failed try costs time. After two
 * failures in a row it skips the next call, after three the next two, and so on by doubling. Any
 * number of threads; a lost update is harmless.
 */
final class InlineBackoff {
  private static final int PASSED_MAX = 64;

  private int toPass;
  private int nextPassed;

  /** Decides about one call: true to try it; false to skip it, which is counted. */
  boolean tryNext() {
    int left = toPass;
    if (left > 0) {
      toPass = left - 1;
      return false;
    }
    return true;
  }

  /** Records a successful try. */
  void succeeded() {
    nextPassed = 0;
  }

  /** Records a failed try. */
  void failed() {
    int passed = nextPassed;
    toPass = passed;
    nextPassed = Math.min(PASSED_MAX, Math.max(1, 2 * passed));
  }
}
