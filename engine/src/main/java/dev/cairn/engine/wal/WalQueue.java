package dev.cairn.engine.wal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where the threads that append and wait meet the one thread that writes. The lock is held for a
 * few instructions, never over I/O.
 *
 * <p>The writer takes all that has gathered as one {@link Work}, and takes the next when that is
 * done; what comes in between gathers. Waiting threads park by themselves and are woken one by one,
 * each only when its ticket is safe. The writer is woken by whoever begins to wait, not by whoever
 * appends, so that a put costs one wake-up: an entry that nobody waits for is taken when the writer
 * has lingered for a moment. Only a writer that has found nothing to do for that long sleeps so
 * deeply that an append must wake it.
 */
final class WalQueue {
  /** What the writer is to do next, in this order: write, make safe, roll, end. */
  record Work(
      List<WalEntry> entries,
      long lastTicket,
      long bytes,
      Wal.Safety safety,
      Optional<CompletableFuture<Void>> roll,
      boolean end) {}

  /** What {@link #append} returns if the log failed. */
  static final long FAILED = 0;

  /** What {@link #append} returns if the log is closed. */
  static final long CLOSED = -1;

  /** What {@link #append} returns instead of waiting. */
  static final long NO_ROOM = -2;

  /** Who waits for a ticket: a parked thread, or nobody but what is to happen then. */
  private static final class Waiter {
    final long ticket;
    final Wal.Safety safety;
    final Optional<Thread> thread;

    /** Whether it is sent away when the log stalls. */
    final boolean impatient;

    final CompletableFuture<Void> settled = new CompletableFuture<>();

    /** The log stalled, and this thread is not to wait for it. */
    volatile boolean sentAway;

    Waiter(long ticket, Wal.Safety safety, Optional<Thread> thread, boolean impatient) {
      this.ticket = ticket;
      this.safety = safety;
      this.thread = thread;
      this.impatient = impatient;
    }

    void wake() {
      thread.ifPresent(LockSupport::unpark);
    }
  }

  private enum WriterState {
    BUSY,
    LINGERING,
    ASLEEP
  }

  private final WalConfig config;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition roomMade = lock.newCondition();

  // Guarded by lock.
  private List<WalEntry> queue = new ArrayList<>();
  private List<WalEntry> spare = new ArrayList<>();
  private final List<Waiter> waiters = new ArrayList<>();
  private final Map<String, Long> appended = new HashMap<>();
  private long queuedBytes;
  private long unwrittenBytes;
  private Optional<CompletableFuture<Void>> roll = Optional.empty();
  private boolean closing;
  private boolean pausing;
  private WriterState writerState = WriterState.BUSY;

  // Written under lock, read without.
  private volatile long lastTicket;
  private volatile long flushedTicket;
  private volatile long syncedTicket;
  private volatile Optional<WalFailedException> failure = Optional.empty();
  private volatile Optional<WalStalledException> stall = Optional.empty();
  private volatile WalStalledException lastStall; // null before the first

  private volatile Thread writer =
      Thread.currentThread(); // until the writer takes for the first time

  WalQueue(WalConfig config) {
    this.config = config;
  }

  long lastTicket() {
    return lastTicket;
  }

  /**
   * Queues an entry; returns its ticket, or {@link #FAILED}, {@link #CLOSED} or {@link #NO_ROOM}.
   *
   * @param mayWait whether to wait for room if there is none
   * @throws WalStalledException if the log has stalled
   */
  long append(WalEntry entry, boolean mayWait) throws WalStalledException {
    boolean wake;
    long ticket;
    lock.lock();
    try {
      while (unwrittenBytes >= config.queuedBytesMax()
          && failure.isEmpty()
          && stall.isEmpty()
          && !closing) {
        if (!mayWait) {
          return NO_ROOM;
        }
        roomMade.awaitUninterruptibly(); // half of that has woken the writer already
      }
      if (failure.isPresent()) {
        return FAILED;
      }
      checkNotStalled();
      if (closing) {
        return CLOSED;
      }
      queue.add(entry);
      long bytes = entry.heapBytes();
      queuedBytes += bytes;
      unwrittenBytes += bytes;
      appended.merge(entry.region(), entry.sequence(), Math::max);
      ticket = lastTicket + 1;
      lastTicket = ticket;
      wake =
          (writerState == WriterState.ASLEEP || queuedBytes >= config.queuedBytesMax() / 2)
              && writerRests();
    } finally {
      lock.unlock();
    }
    wake(wake);
    return ticket;
  }

  /**
   * Waits until {@code ticket} is safe or the log has failed; tells which.
   *
   * @throws WalStalledException if the log stalls before
   */
  boolean await(long ticket, Wal.Safety safety) throws WalStalledException {
    if (isSafe(ticket, safety)) {
      return true;
    }
    Waiter waiter = new Waiter(ticket, safety, Optional.of(Thread.currentThread()), true);
    boolean wake = false;
    lock.lock();
    try {
      if (failure.isEmpty() && !isSafe(ticket, safety)) {
        checkNotStalled();
        waiters.add(waiter);
        wake = writerRests();
      }
    } finally {
      lock.unlock();
    }
    wake(wake);
    // Whoever is interrupted still has to learn what became of the entry.
    boolean interrupted = false;
    while (!isSafe(ticket, safety) && failure.isEmpty() && !waiter.sentAway) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (isSafe(ticket, safety) || failure.isPresent()) {
      return isSafe(ticket, safety);
    }
    throw new WalStalledException(lastStall);
  }

  /**
   * Returns what completes when {@code ticket} is safe, or fails with the log or with its stalling.
   */
  CompletableFuture<Void> safe(long ticket, Wal.Safety safety) {
    Waiter waiter = new Waiter(ticket, safety, Optional.empty(), true);
    Optional<IOException> refused = Optional.empty();
    boolean wake = false;
    lock.lock();
    try {
      if (!isSafe(ticket, safety)) {
        if (failure.isPresent()) {
          refused = Optional.of(failure.get());
        } else if (stall.isPresent()) {
          refused = Optional.of(new WalStalledException(stall.get()));
        } else {
          waiters.add(waiter);
          wake = writerRests();
          return waiter.settled;
        }
      }
    } finally {
      lock.unlock();
      wake(wake);
    }
    refused.ifPresentOrElse(
        waiter.settled::completeExceptionally, () -> waiter.settled.complete(null));
    return waiter.settled;
  }

  /** Returns what completes when {@code ticket} is safe, or fails with the log. */
  CompletableFuture<Void> settled(long ticket, Wal.Safety safety) {
    Waiter waiter = new Waiter(ticket, safety, Optional.empty(), false);
    lock.lock();
    try {
      if (isSafe(ticket, safety)) {
        waiter.settled.complete(null);
      } else if (failure.isPresent()) {
        waiter.settled.completeExceptionally(failure.get());
      } else {
        waiters.add(waiter);
      }
    } finally {
      lock.unlock();
    }
    return waiter.settled;
  }

  /** Throws if the log has stalled. */
  void checkNotStalled() throws WalStalledException {
    Optional<WalStalledException> now = stall;
    if (now.isPresent()) {
      throw new WalStalledException(now.get());
    }
  }

  /** Asks for a roll; the result completes when it is done, or fails with the log. */
  CompletableFuture<Void> requestRoll() {
    CompletableFuture<Void> requested;
    boolean wake;
    lock.lock();
    try {
      requested = roll.orElseGet(CompletableFuture::new);
      if (failure.isPresent()) {
        requested.completeExceptionally(failure.get());
      } else if (stall.isPresent()) {
        requested.completeExceptionally(new WalStalledException(stall.get()));
      } else if (closing) {
        requested.complete(null);
      } else {
        roll = Optional.of(requested);
      }
      wake = writerRests();
    } finally {
      lock.unlock();
    }
    wake(wake);
    return requested;
  }

  /** Takes no more entries; the writer is given what is queued, then the end. */
  void close() {
    boolean wake;
    lock.lock();
    try {
      closing = true;
      roomMade.signalAll();
      wake = writerRests() || pausing;
    } finally {
      lock.unlock();
    }
    wake(wake);
  }

  /** Returns the failure, if there was one. */
  Optional<WalFailedException> failure() {
    return failure;
  }

  /** Returns the newest sequence number that was appended for {@code region}. */
  Optional<Long> appended(String region) {
    lock.lock();
    try {
      return Optional.ofNullable(appended.get(region));
    } finally {
      lock.unlock();
    }
  }

  /** Forgets a region that is closed. */
  void forget(String region) {
    lock.lock();
    try {
      appended.remove(region);
    } finally {
      lock.unlock();
    }
  }

  /** For the writer: waits for something to do and takes it. */
  Work take() {
    boolean lingered = false;
    while (true) {
      boolean deep;
      lock.lock();
      try {
        writer = Thread.currentThread();
        if (isUrgent() || (lingered && !queue.isEmpty())) {
          writerState = WriterState.BUSY;
          return takeAll();
        }
        deep = lingered && queue.isEmpty();
        writerState = deep ? WriterState.ASLEEP : WriterState.LINGERING;
      } finally {
        lock.unlock();
      }
      if (deep) {
        LockSupport.park(this);
        lingered = false;
      } else {
        LockSupport.parkNanos(this, config.lingerNanos());
        lingered = true;
      }
    }
  }

  private boolean isUrgent() {
    return !waiters.isEmpty()
        || roll.isPresent()
        || closing
        || queuedBytes >= config.queuedBytesMax() / 2;
  }

  private Work takeAll() {
    boolean strict = waiters.stream().anyMatch(w -> w.safety == Wal.Safety.SYNCED);
    Work work =
        new Work(
            queue,
            lastTicket,
            queuedBytes,
            strict ? Wal.Safety.SYNCED : config.safety(),
            roll,
            closing);
    List<WalEntry> taken = queue;
    queue = spare;
    spare = taken; // emptied when the work is done
    queuedBytes = 0;
    roll = Optional.empty();
    return work;
  }

  /** For the writer: says that {@code work} is done, which made it as safe as {@code safety}. */
  void done(Work work, Wal.Safety safety) {
    List<Waiter> served = new ArrayList<>();
    lock.lock();
    try {
      flushedTicket = work.lastTicket();
      if (safety == Wal.Safety.SYNCED) {
        syncedTicket = work.lastTicket();
      }
      waiters.removeIf(
          waiter -> {
            boolean safe = isSafe(waiter.ticket, waiter.safety);
            if (safe) {
              served.add(waiter);
            }
            return safe;
          });
      unwrittenBytes -= work.bytes();
      work.entries().clear();
      roomMade.signalAll();
    } finally {
      lock.unlock();
    }
    serve(served);
  }

  /** For the writer: says that the log has ended with everything synced. */
  void ended() {
    List<Waiter> served;
    lock.lock();
    try {
      flushedTicket = lastTicket;
      syncedTicket = lastTicket;
      served = List.copyOf(waiters);
      waiters.clear();
    } finally {
      lock.unlock();
    }
    serve(served);
  }

  private static void serve(List<Waiter> served) {
    for (Waiter waiter : served) {
      waiter.settled.complete(null);
      waiter.wake();
    }
  }

  /** For the writer: sends everybody away who waits, and whoever comes, until {@link #resume}. */
  void stall(WalStalledException cause) {
    List<Waiter> sentAway;
    Optional<CompletableFuture<Void>> refusedRoll;
    lock.lock();
    try {
      lastStall = cause;
      stall = Optional.of(cause);
      sentAway = waiters.stream().filter(waiter -> waiter.impatient).toList();
      waiters.removeAll(sentAway);
      refusedRoll = roll;
      roll = Optional.empty();
      roomMade.signalAll();
    } finally {
      lock.unlock();
    }
    for (Waiter waiter : sentAway) {
      waiter.sentAway = true;
      waiter.settled.completeExceptionally(new WalStalledException(cause));
      waiter.wake();
    }
    refusedRoll.ifPresent(waiting -> waiting.completeExceptionally(cause));
  }

  /** For the writer: says that there is room again. */
  void resume() {
    stall = Optional.empty();
  }

  /** For the writer: rests, but not once the log is to close; tells whether it is not. */
  boolean pause(long nanos) {
    lock.lock();
    try {
      if (closing) {
        return false;
      }
      pausing = true;
    } finally {
      lock.unlock();
    }
    LockSupport.parkNanos(this, nanos);
    lock.lock();
    try {
      pausing = false;
      return !closing;
    } finally {
      lock.unlock();
    }
  }

  /** For the writer: fails everybody who waits or will come. */
  void fail(WalFailedException cause) {
    List<Waiter> failed;
    Optional<CompletableFuture<Void>> failedRoll;
    lock.lock();
    try {
      failure = Optional.of(cause);
      failed = List.copyOf(waiters);
      waiters.clear();
      failedRoll = roll;
      roll = Optional.empty();
      roomMade.signalAll();
    } finally {
      lock.unlock();
    }
    for (Waiter waiter : failed) {
      waiter.settled.completeExceptionally(cause);
      waiter.wake();
    }
    failedRoll.ifPresent(waiting -> waiting.completeExceptionally(cause));
  }

  private boolean isSafe(long ticket, Wal.Safety safety) {
    return ticket <= (safety == Wal.Safety.SYNCED ? syncedTicket : flushedTicket);
  }

  /** Tells whether the writer has to be woken; then the caller must, once it has unlocked. */
  private boolean writerRests() {
    boolean rests = writerState != WriterState.BUSY;
    writerState = WriterState.BUSY; // one wake-up is enough
    return rests;
  }

  private void wake(boolean needed) {
    if (needed) {
      LockSupport.unpark(writer);
    }
  }
}
