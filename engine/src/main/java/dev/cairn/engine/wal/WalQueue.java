package dev.cairn.engine.wal;

import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.TxidWaiters.Waiter;
import dev.cairn.engine.wal.Wal.DurabilityListener;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongUnaryOperator;

/**
 * Connects the threads that append and wait with the writer. Holds its lock for a few instructions,
 * never during I/O.
 *
 * <p>The writer takes all gathered entries as one {@link Work}; new entries gather until that is
 * done. Each waiting thread parks, and is woken only when its txid is durable ({@link
 * TxidWaiters}). A thread that begins to wait wakes the writer; an append does not. So a put costs
 * one wake-up, and many puts of a thread that waits for none of them cost one together: the writer
 * lingers for a moment before it takes entries without waiters. A writer that has found nothing to
 * do for that long sleeps; only then must an append wake it ({@link WriterParking}).
 *
 * <p>While the writer rests, a thread that begins to wait leads a commit ({@link CommitLeader}): it
 * writes all gathered entries. Threads that come meanwhile wait; at the end of that commit, the
 * writer is woken for them.
 */
final class WalQueue {
  /** The writer's next work, in this order: write, make durable, roll, end. */
  record Work(
      List<WalEntry> entries,
      long lastTxid,
      long bytes,
      SyncLevel syncLevel,
      Optional<CompletableFuture<Void>> roll,
      boolean end) {}

  /** The result of {@link #append} if the log failed. */
  static final long FAILED = 0;

  /** The result of {@link #append} if the log is closed. */
  static final long CLOSED = -1;

  /**
   * The result of {@link #append} if the queue is full; the caller then calls {@link #awaitRoom}.
   */
  static final long NO_ROOM = -2;

  private final WalConfig config;
  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final WriterParking rest;

  // Guarded by lock.
  private final CommitLeader leader = new CommitLeader();
  private List<WalEntry> queue = new ArrayList<>();
  private List<WalEntry> spare = new ArrayList<>();
  private final TxidWaiters waiters = new TxidWaiters();
  private final Map<String, Long> appended = new HashMap<>();
  private long queuedBytes;
  private long unwrittenBytes;
  private Optional<CompletableFuture<Void>> roomMade = Optional.empty();
  private Optional<CompletableFuture<Void>> roll = Optional.empty();
  private boolean rollDue;
  private boolean closing;

  // Written under lock, read without.
  private volatile long lastTxid;
  private volatile Optional<WalFailedException> failure = Optional.empty();
  private volatile Optional<WalStalledException> stall = Optional.empty();
  private volatile WalStalledException lastStall; // null before the first

  // Owned by the writer.
  private long restNanos;

  WalQueue(WalConfig config, Clock clock) {
    this.config = config;
    this.clock = clock;
    this.rest = new WriterParking(config.lingerNanos(), clock);
  }

  /** Polls until the log has ended, and parks between polls. For the log's own thread. */
  void drive(LongUnaryOperator poll) {
    rest.drive(poll);
  }

  long lastTxid() {
    return lastTxid;
  }

  /** Returns the txid up to which all entries have the configured level. */
  long durableTxid() {
    return waiters.durableTxid(config.syncLevel());
  }

  /**
   * Queues an entry; returns its txid, or {@link #FAILED}, {@link #CLOSED} or {@link #NO_ROOM}.
   *
   * @throws WalStalledException if the log has stalled
   */
  long append(WalEntry entry) throws WalStalledException {
    boolean wake;
    long txid;
    lock.lock();
    try {
      if (!hasRoom()) {
        return NO_ROOM;
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
      txid = lastTxid + 1;
      lastTxid = txid;
      wake = (rest.isSleep() || queuedBytes >= config.queuedBytesMax() / 2) && endRest();
    } finally {
      lock.unlock();
    }
    rest.wake(wake);
    return txid;
  }

  /** Blocks until {@link #append} no longer returns {@link #NO_ROOM}. */
  void awaitRoom() {
    CompletableFuture<Void> made; // the half-full queue has woken the writer
    lock.lock();
    try {
      if (hasRoom()) {
        return;
      }
      made = roomMade.orElseGet(CompletableFuture::new);
      roomMade = Optional.of(made);
    } finally {
      lock.unlock();
    }
    clock.join(made);
  }

  private boolean hasRoom() {
    return unwrittenBytes < config.queuedBytesMax()
        || failure.isPresent()
        || stall.isPresent()
        || closing;
  }

  private void tellRoom() {
    roomMade.ifPresent(made -> made.complete(null));
    roomMade = Optional.empty();
  }

  /** Ends the writer's rest, unless a waiting thread leads: the end of its commit does that. */
  private boolean endRest() {
    return !leader.isWaiter() && rest.end();
  }

  /**
   * Makes the calling thread the leader of a commit if the writer rests. The leader writes the
   * returned work, calls {@link #done} and {@link #endLead}, and then {@link #await}s {@code txid}.
   *
   * @return the entries to write; empty if the caller does not lead
   */
  Optional<Work> tryLead(long txid, SyncLevel syncLevel) {
    if (waiters.isDurable(txid, syncLevel)) {
      return Optional.empty();
    }
    lock.lock();
    try {
      boolean idle = rest.isRest() && !leader.isWaiter() && !leader.hasFailed();
      if (!idle
          || waiters.isDurable(txid, syncLevel)
          || roll.isPresent()
          || closing
          || failure.isPresent()
          || stall.isPresent()) {
        return Optional.empty();
      }
      leader.begin();
      return Optional.of(takeAll(syncLevel));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends the commit of a waiting thread after {@link #done}.
   *
   * @param mustRoll whether the file must be rolled
   */
  void endLead(boolean mustRoll) {
    boolean wake;
    lock.lock();
    try {
      leader.end();
      rollDue = mustRoll;
      wake = (isUrgent() || !queue.isEmpty()) && rest.end();
    } finally {
      lock.unlock();
    }
    rest.wake(wake);
  }

  /** Ends the commit of a waiting thread that could not write {@code work}: the file has failed. */
  void endLeadUndone(Work work) {
    boolean wake;
    lock.lock();
    try {
      leader.endUndone(work);
      wake = rest.end();
    } finally {
      lock.unlock();
    }
    rest.wake(wake);
  }

  /** Ends the commit of a waiting thread after an unexpected exception or error. */
  void endLeadBroken(Throwable thrown) {
    boolean wake;
    lock.lock();
    try {
      leader.endBroken(thrown);
      wake = rest.end();
    } finally {
      lock.unlock();
    }
    rest.wake(wake);
  }

  /**
   * Waits until {@code txid} is durable or the log has failed; returns true if it is durable.
   *
   * @throws WalStalledException if the log stalls first
   */
  boolean await(long txid, SyncLevel syncLevel) throws WalStalledException {
    if (waiters.isDurable(txid, syncLevel)) {
      return true;
    }
    TxidWaiters.ParkedThread parked = new TxidWaiters.ParkedThread(clock);
    boolean wake = false;
    lock.lock();
    try {
      if (failure.isEmpty() && !waiters.isDurable(txid, syncLevel)) {
        checkNotStalled();
        waiters.add(new Waiter(txid, syncLevel, parked, true));
        wake = endRest();
      }
    } finally {
      lock.unlock();
    }
    rest.wake(wake);
    // An interrupted thread must still learn the entry's outcome.
    boolean interrupted = false;
    while (!waiters.isDurable(txid, syncLevel) && failure.isEmpty() && !parked.isSentAway()) {
      clock.park(Long.MAX_VALUE);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (waiters.isDurable(txid, syncLevel) || failure.isPresent()) {
      return waiters.isDurable(txid, syncLevel);
    }
    throw new WalStalledException(lastStall);
  }

  /**
   * Notifies {@code told} when {@code txid} is durable, or when the log fails or stalls. A
   * lingering writer is not woken; call {@link #requestSync} for that. A sleeping writer is woken;
   * since an append ends the sleep, this happens only if the entry was written long ago.
   */
  void whenDurable(long txid, SyncLevel syncLevel, DurabilityListener told) {
    Optional<IOException> refused = Optional.empty();
    boolean waits = false;
    boolean wake = false;
    lock.lock();
    try {
      if (!waiters.isDurable(txid, syncLevel)) {
        if (failure.isPresent()) {
          refused = Optional.of(failure.get());
        } else if (stall.isPresent()) {
          refused = Optional.of(new WalStalledException(stall.get()));
        } else {
          waiters.add(new Waiter(txid, syncLevel, told, true));
          waits = true;
          wake = rest.isSleep() && endRest();
        }
      }
    } finally {
      lock.unlock();
    }
    rest.wake(wake);
    if (refused.isPresent()) {
      told.notDurable(refused.get());
    } else if (!waits) {
      told.durable();
    }
  }

  /** Wakes the writer if it rests while there are waiters. */
  void requestSync() {
    boolean wake;
    lock.lock();
    try {
      wake = !waiters.isEmpty() && endRest();
    } finally {
      lock.unlock();
    }
    rest.wake(wake);
  }

  /** Returns a future that completes when {@code txid} is durable, or fails with the log. */
  CompletableFuture<Void> settled(long txid, SyncLevel syncLevel) {
    CompletableFuture<Void> settled = new CompletableFuture<>();
    boolean wake = false;
    lock.lock();
    try {
      if (waiters.isDurable(txid, syncLevel)) {
        settled.complete(null);
      } else if (failure.isPresent()) {
        settled.completeExceptionally(failure.get());
      } else {
        waiters.add(new Waiter(txid, syncLevel, new TxidWaiters.Promise(settled), false));
        wake = rest.isSleep() && endRest(); // the entry may be flushed, but not synced
      }
    } finally {
      lock.unlock();
    }
    rest.wake(wake);
    return settled;
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
      wake = endRest();
    } finally {
      lock.unlock();
    }
    rest.wake(wake);
    return requested;
  }

  /** Refuses further entries; the writer gets the queued ones, then the end. */
  void close() {
    lock.lock();
    try {
      closing = true;
      tellRoom();
      endRest();
    } finally {
      lock.unlock();
    }
    rest.wake(true); // also ends its pause before it retries a new file
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

  /**
   * Takes the next work, for the writer. If there is none, the writer asks again after {@link
   * #restNanos}, or when it is woken.
   */
  Optional<Work> take(long nowNanos) {
    lock.lock();
    try {
      // The writer lingers while a waiting thread leads: each append would wake a sleeping writer.
      boolean idle = false;
      if (!leader.isWaiter()) {
        Optional<Work> undone = leader.takeUndone();
        if (undone.isPresent()) {
          rest.work();
          return undone;
        }
        if (isUrgent() || !queue.isEmpty() && rest.hasLingered(nowNanos)) {
          rest.work();
          return Optional.of(takeAll(config.syncLevel()));
        }
        idle = queue.isEmpty();
      }
      restNanos = rest.rest(nowNanos, lastTxid, idle);
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the time that the writer rests unless woken, nanoseconds. For the writer. */
  long restNanos() {
    return restNanos;
  }

  private boolean isUrgent() {
    return !waiters.isEmpty()
        || roll.isPresent()
        || rollDue
        || closing
        || queuedBytes >= config.queuedBytesMax() / 2;
  }

  /** Takes all queued entries, to reach {@code syncLevel}, or more if a waiter needs it. */
  private Work takeAll(SyncLevel syncLevel) {
    Work work =
        new Work(
            queue,
            lastTxid,
            queuedBytes,
            waiters.wantSynced() ? SyncLevel.SYNCED : syncLevel,
            roll,
            closing);
    List<WalEntry> taken = queue;
    queue = spare;
    spare = taken; // emptied when the work is done
    queuedBytes = 0;
    roll = Optional.empty();
    rollDue = false;
    return work;
  }

  /**
   * For the current writer: records that {@code work} is done, and its entries have reached {@code
   * syncLevel}.
   */
  void done(Work work, SyncLevel syncLevel) {
    List<Waiter> served;
    lock.lock();
    try {
      waiters.durableUpTo(work.lastTxid(), syncLevel);
      served = waiters.takeDurable();
      unwrittenBytes -= work.bytes();
      work.entries().clear();
      tellRoom();
    } finally {
      lock.unlock();
    }
    TxidWaiters.tellAll(served, DurabilityListener::durable);
  }

  /** For the writer: records that the log has ended with everything synced. */
  void ended() {
    List<Waiter> served;
    lock.lock();
    try {
      waiters.durableUpTo(lastTxid, SyncLevel.SYNCED);
      served = waiters.takeAll();
    } finally {
      lock.unlock();
    }
    TxidWaiters.tellAll(served, DurabilityListener::durable);
  }

  /** For the writer: fails all waiters and later callers until {@link #resume}. */
  void stall(WalStalledException cause) {
    List<Waiter> sentAway;
    Optional<CompletableFuture<Void>> refusedRoll;
    lock.lock();
    try {
      lastStall = cause;
      stall = Optional.of(cause);
      sentAway = waiters.takeImpatient();
      refusedRoll = roll;
      roll = Optional.empty();
      tellRoom();
    } finally {
      lock.unlock();
    }
    refusedRoll.ifPresent(waiting -> waiting.completeExceptionally(cause));
    TxidWaiters.tellAll(sentAway, told -> told.notDurable(new WalStalledException(cause)));
  }

  /** For the writer: ends the stall, because there is room again. */
  void resume() {
    stall = Optional.empty();
  }

  /** Returns whether the log is closing. */
  boolean isClosing() {
    lock.lock();
    try {
      return closing;
    } finally {
      lock.unlock();
    }
  }

  /** For the writer: fails all waiters and later callers, for good. */
  void fail(WalFailedException cause) {
    List<Waiter> failed;
    Optional<CompletableFuture<Void>> failedRoll;
    lock.lock();
    try {
      failure = Optional.of(cause);
      failed = waiters.takeAll();
      failedRoll = roll;
      roll = Optional.empty();
      tellRoom();
    } finally {
      lock.unlock();
    }
    failedRoll.ifPresent(waiting -> waiting.completeExceptionally(cause));
    TxidWaiters.tellAll(failed, told -> told.notDurable(cause));
  }
}
