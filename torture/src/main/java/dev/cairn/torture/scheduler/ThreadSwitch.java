package dev.cairn.torture.scheduler;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Creates threads, and lets one after the other run while the driver waits. */
interface ThreadSwitch {
  /** After this time, a thread that does not park counts as blocked outside its clock. */
  long STUCK_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Creates a thread for {@code owner}, which has not begun. */
  ThreadHandle create(SimulatedThread owner);

  /** Wakes the driver, because there is no holder any more. For the last holder. */
  void resumeDriver();

  /**
   * Waits until there is no holder. For the driver.
   *
   * @param holder returns the holder of the baton; null if there is none
   * @throws IllegalStateException if the holder waits for anything but the baton
   */
  void awaitDriver(Supplier<SimulatedThread> holder);

  /** Returns the fastest switch of this Java. */
  static ThreadSwitch fastest() {
    return VirtualThreads.areAvailable() ? new VirtualThreads() : new PlatformThreads();
  }

  /** Returns the error of a holder that waits for anything but the baton. */
  static IllegalStateException stuck(SimulatedThread holder) {
    IllegalStateException stuck =
        new IllegalStateException(holder.taskName() + " is blocked outside its clock");
    stuck.setStackTrace(holder.thread().getStackTrace());
    return stuck;
  }
}
