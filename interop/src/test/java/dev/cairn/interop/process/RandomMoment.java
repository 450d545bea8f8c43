package dev.cairn.interop.process;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Draws the moment of a kill. It is random, so it waits for no condition. */
final class RandomMoment {
  private RandomMoment() {}

  /** Waits for a random number of milliseconds. May return spuriously. */
  static void pause(SplittableRandom random, int fromMillis, int toMillis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(fromMillis, toMillis)));
  }
}
