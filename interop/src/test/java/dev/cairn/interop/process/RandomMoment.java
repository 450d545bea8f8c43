package dev.cairn.interop.process;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The moment of a kill, which is to be random: nothing is waited for. */
final class RandomMoment {
  private RandomMoment() {}

  /** Returns after so many milliseconds, or earlier now and then. */
  static void pause(SplittableRandom random, int fromMillis, int toMillis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(fromMillis, toMillis)));
  }
}
