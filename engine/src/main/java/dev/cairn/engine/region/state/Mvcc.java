package dev.cairn.engine.region.state;

import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * Multi-version concurrency control of one region: hands out write numbers, which are the sequence
 * numbers of cells and log entries, and tells readers up to which of them everything is complete.
 *
 * <p>A write begins, puts its cells into the memstores, makes its log entry durable, and completes.
 * The read point is the highest number up to which every write has completed; so a reader sees all
 * of a write or nothing, and a write that has returned is seen by every reader after it.
 *
 * <p>A write that cannot become durable for the time being is postponed: callers no longer wait for
 * it, nor for later writes; it completes later, and then all of them become visible. Thread-safe.
 */
public final class Mvcc {
  private final ArrayDeque<Write> pending = new ArrayDeque<>();
  private final List<Reached> awaited = new ArrayList<>();
  private final List<Parked> parked = new ArrayList<>();
  private final Clock clock;
  private long lastBegun;
  private int postponed;
  private volatile long readPoint;
  private IOException failure;

  /** Begins with everything up to {@code sequence} complete. */
  public Mvcc(long sequence, Clock clock) {
    this.clock = clock;
    this.lastBegun = sequence;
    this.readPoint = sequence;
  }

  /** A write that has begun. */
  public static final class Write {
    private final long number;
    private boolean complete;
    private Optional<IOException> postponed = Optional.empty();

    private Write(long number) {
      this.number = number;
    }

    /** Returns the number of the write. */
    public long number() {
      return number;
    }
  }

  /**
   * Begins a write.
   *
   * @throws IOException if one has failed: this one could never be seen
   */
  public Write begin() throws IOException {
    return begin(0);
  }

  /**
   * As {@link #begin()}, with a number above {@code above}. The numbers up to it stay unused.
   *
   * @throws IOException if a write has failed
   */
  public synchronized Write begin(long above) throws IOException {
    if (failure != null) {
      throw failed();
    }
    lastBegun = Math.max(lastBegun, above);
    Write write = new Write(++lastBegun);
    pending.addLast(write);
    return write;
  }

  /**
   * A callback for when the read point reaches a number.
   *
   * @param impatient whether to call it if the write is postponed
   */
  private record Reached(long number, CompletableFuture<Void> future, boolean impatient) {
    public void fail(IOException cause) {
      future.completeExceptionally(cause);
    }
  }

  /** Ends a write that is complete, or that stored nothing. */
  public void complete(Write write) {
    List<Reached> told;
    synchronized (this) {
      write.complete = true;
      if (write.postponed.isPresent()) {
        write.postponed = Optional.empty();
        postponed--;
      }
      long reached = readPoint;
      while (!pending.isEmpty() && pending.peekFirst().complete) {
        reached = pending.pollFirst().number;
      }
      if (reached == readPoint) {
        return;
      }
      readPoint = reached;
      wake(reached);
      told = takeReached();
    }
    told.forEach(one -> one.future.complete(null));
  }

  /** A thread that waits until the read point has reached a number. */
  private record Parked(long number, Thread thread) {}

  /** Wakes the threads that wait for {@code number} or less. */
  private void wake(long number) {
    int left = 0;
    for (int i = 0; i < parked.size(); i++) {
      Parked one = parked.get(i);
      if (one.number <= number) {
        clock.unpark(one.thread);
      } else {
        parked.set(left++, one);
      }
    }
    while (parked.size() > left) {
      parked.remove(parked.size() - 1);
    }
  }

  private List<Reached> takeReached() {
    if (awaited.isEmpty()) {
      return List.of();
    }
    return take(one -> one.number <= readPoint || failure != null);
  }

  private List<Reached> take(Predicate<Reached> which) {
    List<Reached> taken = awaited.stream().filter(which).toList();
    if (!taken.isEmpty()) {
      awaited.removeIf(which);
    }
    return taken;
  }

  /**
   * Marks a write that completes later: waiters for it, or for a later write, get {@code cause}
   * instead.
   */
  public void postpone(Write write, IOException cause) {
    List<Reached> told;
    synchronized (this) {
      if (write.complete || write.postponed.isPresent()) {
        return;
      }
      write.postponed = Optional.of(cause);
      postponed++;
      wake(Long.MAX_VALUE);
      told = take(one -> one.impatient && one.number >= write.number);
    }
    told.forEach(one -> one.fail(new PostponedException(cause)));
  }

  /** Marks a write that can never complete; waiters and later callers get {@code cause}. */
  public void fail(IOException cause) {
    List<Reached> told;
    synchronized (this) {
      if (failure == null) {
        failure = cause;
      }
      wake(Long.MAX_VALUE);
      told = takeReached();
    }
    told.forEach(one -> one.fail(one.impatient ? failed() : cause));
  }

  /**
   * Returns a future that completes when all writes up to {@code number} have, or fails with one.
   */
  public CompletableFuture<Void> reached(long number) {
    CompletableFuture<Void> future = new CompletableFuture<>();
    synchronized (this) {
      if (readPoint < number && failure == null) {
        awaited.add(new Reached(number, future, false));
        return future;
      }
      if (readPoint < number) {
        future.completeExceptionally(failure);
        return future;
      }
    }
    future.complete(null);
    return future;
  }

  /**
   * Returns a future that completes when {@link #await} would return, and fails with what it would
   * throw.
   */
  public CompletableFuture<Void> awaited(long number) {
    if (readPoint >= number) {
      return CompletableFuture.completedFuture(null);
    }
    synchronized (this) {
      if (readPoint >= number) {
        return CompletableFuture.completedFuture(null);
      }
      try {
        if (failure != null) {
          throw failed();
        }
        checkPostponed(number);
      } catch (IOException e) {
        return CompletableFuture.failedFuture(e);
      }
      CompletableFuture<Void> future = new CompletableFuture<>();
      awaited.add(new Reached(number, future, true));
      return future;
    }
  }

  /**
   * Returns once every write up to {@code number} has completed.
   *
   * @throws PostponedException if that may take long, because one of them is postponed
   */
  public void await(long number) throws IOException {
    if (readPoint >= number) {
      return;
    }
    // The write is in the log already, so an interrupted thread also waits for its completion.
    boolean interrupted = false;
    try {
      while (isToWait(number)) {
        clock.park(Long.MAX_VALUE);
        interrupted |= Thread.interrupted();
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized boolean isToWait(long number) throws IOException {
    if (readPoint >= number) {
      return false;
    }
    if (failure != null) {
      throw failed();
    }
    checkPostponed(number);
    parked.add(new Parked(number, Thread.currentThread()));
    return true;
  }

  /** A write that was to be waited for completes later. */
  public static final class PostponedException extends IOException {
    PostponedException(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }

  private void checkPostponed(long number) throws PostponedException {
    if (postponed == 0) {
      return;
    }
    for (Write write : pending) {
      if (write.number > number) {
        return;
      }
      if (write.postponed.isPresent()) {
        throw new PostponedException(write.postponed.get());
      }
    }
  }

  private IOException failed() {
    return new IOException("A write before this one failed: " + failure.getMessage(), failure);
  }

  /**
   * Raises the read point to a number that another server's writes have reached. Only for a region
   * that takes no writes.
   */
  public synchronized void advance(long number) {
    if (number > readPoint) {
      lastBegun = number;
      readPoint = number;
    }
  }

  /** Returns the number up to which everything is complete. */
  public long readPoint() {
    return readPoint;
  }

  /** Returns the highest number handed out. */
  public synchronized long lastBegun() {
    return lastBegun;
  }
}
