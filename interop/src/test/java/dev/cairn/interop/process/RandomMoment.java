package dev.cairn.interop.process;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Draws the moment of a kill. It is random, so it waits for no condition. */
final class RandomMoment {
  private RandomMoment() {}

  /** Returns after a random number of milliseconds; may return earlier. */
  static void pause(SplittableRandom random, int fromMillis, int toMillis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(fromMillis, toMillis)));
  }
}
