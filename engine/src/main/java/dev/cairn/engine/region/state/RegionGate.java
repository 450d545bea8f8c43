package dev.cairn.engine.region.state;

import dev.cairn.engine.schema.RegionInfo;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Admits requests to a region until closing begins, and notifies the closer when the last one has
 * left. Closing may be cancelled; {@link #settled} reports that. Nothing here waits. Thread-safe.
 */
public final class RegionGate {
  private static final long CLOSING = 1L << 32;

  private final Visit leave = this::leave;
  private final RegionInfo region;

  /**
   * The number of requests inside, plus {@link #CLOSING} while closing. Only holders of the monitor
   * change the latter.
   */
  private final AtomicLong state = new AtomicLong();

  private volatile int closings;

  // Guarded by this.
  private CompletableFuture<Void> left = CompletableFuture.completedFuture(null);
  private CompletableFuture<Void> settled = CompletableFuture.completedFuture(null);

  public RegionGate(RegionInfo region) {
    this.region = region;
  }

  /** Enters; the caller closes the visit to leave. */
  public Visit enter() throws RegionClosedException {
    while (!tryEnter()) {
      check(); // passes if a closing was cancelled in between
    }
    return leave;
  }

  /**
   * Enters again from inside, also if closing has begun: it waits for the caller anyway. The caller
   * closes the visit to leave.
   */
  public Visit enterAgain() {
    state.getAndIncrement();
    return leave;
  }

  /**
   * Enters if the region is open; the caller then calls {@link #leave}.
   *
   * @return false if the region is closing
   */
  public boolean tryEnter() {
    if (state.getAndIncrement() < CLOSING) {
      return true;
    }
    leave();
    return false;
  }

  /** Leaves after {@link #tryEnter}. */
  public void leave() {
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
  public void check() throws RegionClosedException {
    if (isClosing()) {
      throw new RegionClosedException(region.regionNameAsString() + " is closing");
    }
  }

  /**
   * Refuses requests from now on. Returns a future that completes once no request is inside; empty
   * if closing has already begun.
   */
  public synchronized Optional<CompletableFuture<Void>> shut() {
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

  /** Admits requests again. The thread that began closing calls it to give up. */
  public synchronized void reopen() {
    state.addAndGet(-CLOSING);
  }

  /** Marks closing as ended, complete or cancelled. The thread that began closing calls it. */
  public synchronized void settle() {
    settled.complete(null);
  }

  /** Tells whether closing has begun, and was not cancelled. */
  public boolean isClosing() {
    return state.get() >= CLOSING;
  }

  /** Returns how often closing has begun. */
  public int closings() {
    return closings;
  }

  /** Returns a future that completes when the current closing ends or is cancelled. */
  public synchronized CompletableFuture<Void> settled() {
    return settled;
  }

  /** A request's stay inside the gate; closing it leaves. */
  @FunctionalInterface
  public interface Visit extends AutoCloseable {
    @Override
    void close();
  }
}
