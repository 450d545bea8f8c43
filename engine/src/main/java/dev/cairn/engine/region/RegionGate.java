package dev.cairn.engine.region;

import dev.cairn.engine.schema.RegionInfo;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Lets requests into a region until closing begins, and lets closing wait until the last one has
 * left. Closing may be given up; who can wait to see that asks {@link #awaitOpen}.
 */
final class RegionGate {
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final Visit leave = lock.readLock()::unlock;
  private final RegionInfo region;
  private volatile boolean closing;
  private volatile int closings;
  private boolean underway; // guarded by this, as is the setting of the two above

  RegionGate(RegionInfo region) {
    this.region = region;
  }

  /** Enters without waiting; the caller's thread leaves by closing what is returned. */
  Visit enter() throws RegionClosedException {
    while (!tryEnter()) {
      check(); // passes if a closing was given up in between
    }
    return leave;
  }

  /**
   * Enters if that can be done without waiting; who did calls {@link #leave}.
   *
   * @return false if the region is closing
   */
  boolean tryEnter() {
    if (closing || !lock.readLock().tryLock()) {
      return false;
    }
    if (closing) {
      leave();
      return false;
    }
    return true;
  }

  /** Leaves after {@link #tryEnter}. */
  void leave() {
    lock.readLock().unlock();
  }

  /** Throws if closing has begun. */
  void check() throws RegionClosedException {
    if (closing) {
      throw new RegionClosedException(region.regionNameAsString() + " is closing");
    }
  }

  /**
   * Refuses requests from now on and returns once none is inside. Returns false if that was done
   * before or another thread is about it.
   */
  boolean shut() {
    synchronized (this) {
      if (closing) {
        return false;
      }
      closing = true;
      underway = true;
      closings++;
    }
    lock.writeLock().lock();
    lock.writeLock().unlock();
    return true;
  }

  /** Lets requests in again: closing was given up by the thread that had begun it. */
  synchronized void reopen() {
    closing = false;
  }

  /** Says that closing has come to its end, or was given up; by the thread that had begun it. */
  synchronized void settle() {
    underway = false;
    notifyAll();
  }

  /** Tells whether closing has begun, and was not given up. */
  boolean isClosing() {
    return closing;
  }

  /** Returns how often closing has begun. */
  int closings() {
    return closings;
  }

  /**
   * Returns at once if the region is open, or when a closing that is under way has been given up.
   *
   * @throws RegionClosedException if it was not, or if the thread is interrupted
   */
  synchronized void awaitOpen() throws RegionClosedException {
    try {
      while (underway) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    check();
  }

  /** What is closed when a request leaves. */
  @FunctionalInterface
  interface Visit extends AutoCloseable {
    @Override
    void close();
  }
}
