package dev.cairn.engine.region;

import dev.cairn.engine.schema.RegionInfo;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets requests into a region until closing begins, and tells closing when the last one has left.
 * Closing may be given up; {@link #settled} tells. Nothing here waits. Thread-safe.
 */
final class RegionGate {
  private static final long CLOSING = 1L << 32;

  private final Visit leave = this::leave;
  private final RegionInfo region;

  /** How many requests are inside, and {@link #CLOSING}, which only holders of the monitor set. */
  private final AtomicLong state = new AtomicLong();

  private volatile int closings;

  // Guarded by this.
  private CompletableFuture<Void> left = CompletableFuture.completedFuture(null);
  private CompletableFuture<Void> settled = CompletableFuture.completedFuture(null);

  RegionGate(RegionInfo region) {
    this.region = region;
  }

  /** Enters; the caller leaves by closing what is returned. */
  Visit enter() throws RegionClosedException {
    while (!tryEnter()) {
      check(); // passes if a closing was given up in between
    }
    return leave;
  }

  /**
   * Enters if the region is open; who did calls {@link #leave}.
   *
   * @return false if the region is closing
   */
  boolean tryEnter() {
    if (state.getAndIncrement() < CLOSING) {
      return true;
    }
    leave();
    return false;
  }

  /** Leaves after {@link #tryEnter}. */
  void leave() {
    if (state.decrementAndGet() == CLOSING) {
      tellLeft();
    }
  }

  private synchronized void tellLeft() {
    if (state.get() == CLOSING) {
      left.complete(null);
    }
  }

  /** Throws if closing has begun. */
  void check() throws RegionClosedException {
    if (isClosing()) {
      throw new RegionClosedException(region.regionNameAsString() + " is closing");
    }
  }

  /**
   * Refuses requests from now on. Returns what completes once none is inside; nothing if closing
   * has begun before.
   */
  synchronized Optional<CompletableFuture<Void>> shut() {
    if (isClosing()) {
      return Optional.empty();
    }
    closings++;
    left = new CompletableFuture<>();
    settled = new CompletableFuture<>();
    if (state.getAndAdd(CLOSING) == 0) {
      left.complete(null);
    }
    return Optional.of(left);
  }

  /** Lets requests in again: closing was given up by the thread that had begun it. */
  synchronized void reopen() {
    state.addAndGet(-CLOSING);
  }

  /** Says that closing has come to its end, or was given up; by the thread that had begun it. */
  synchronized void settle() {
    settled.complete(null);
  }

  /** Tells whether closing has begun, and was not given up. */
  boolean isClosing() {
    return state.get() >= CLOSING;
  }

  /** Returns how often closing has begun. */
  int closings() {
    return closings;
  }

  /** Returns what completes when a closing that is under way has come to its end or is given up. */
  synchronized CompletableFuture<Void> settled() {
    return settled;
  }

  /** What is closed when a request leaves. */
  @FunctionalInterface
  interface Visit extends AutoCloseable {
    @Override
    void close();
  }
}
