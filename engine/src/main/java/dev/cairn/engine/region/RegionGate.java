package dev.cairn.engine.region;

import dev.cairn.engine.schema.RegionInfo;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Lets requests into a region until closing begins, and lets closing wait until the last one has
 * left.
 */
final class RegionGate {
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final Visit leave = lock.readLock()::unlock;
  private final RegionInfo region;
  private volatile boolean closing;

  RegionGate(RegionInfo region) {
    this.region = region;
  }

  /** Enters; the caller leaves by closing what is returned. */
  Visit enter() throws RegionClosedException {
    while (true) {
      check();
      lock.readLock().lock();
      if (!closing) {
        return leave;
      }
      lock.readLock().unlock();
    }
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
    }
    lock.writeLock().lock();
    lock.writeLock().unlock();
    return true;
  }

  /** Lets requests in again: closing was given up by the thread that had begun it. */
  void reopen() {
    closing = false;
  }

  /** What is closed when a request leaves. */
  @FunctionalInterface
  interface Visit extends AutoCloseable {
    @Override
    void close();
  }
}
