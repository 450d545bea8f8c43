package dev.cairn.engine.wal;

import dev.cairn.engine.storage.DiskFullException;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.Storage.FileInfo;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.time.PhaseTimes;
import dev.cairn.engine.wal.Wal.DurabilityListener;
import dev.cairn.engine.wal.WalConfig.WalRecovery;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.engine.wal.file.WalFileName;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadFactory;

/**
 * A {@link Wal} with group commit. One thread at a time writes all gathered entries, makes them
 * durable with one flush or sync, and wakes their waiters; meanwhile the next group gathers.
 *
 * <p>The polling thread is the writer. While it rests, a thread that waits for an entry leads one
 * group commit. {@link WalQueue} connects the threads; {@link ActiveWalFile} knows the file being
 * written, and the current writer owns it; {@link WalFiles} knows the ended files. Between groups,
 * {@link #poll} also rolls the file, replaces a failed file, and retries after the disk was full.
 * The threads that flush, roll or close archive files.
 */
public final class GroupCommitWal implements Wal {
  /** The result of {@link #poll} after the log is closed or has failed. */
  public static final long ENDED = -1;

  private final Storage storage;
  private final WalConfig config;
  private final Clock clock;
  private final WalListener listener;
  private final WalQueue queue;
  private final WalFiles files;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final ActiveWalFile active;
  private final CommitTimer watch = new CommitTimer();

  /** Runs from the first attempt at a group commit until an attempt succeeds. */
  private final CommitTimer wait = new CommitTimer();

  // Owned by the current writer.
  private final SyncHistory syncs;
  private Optional<Long> rollFailedNanos = Optional.empty();

  // Owned by the polling thread.
  private Optional<WalQueue.Work> inHand = Optional.empty();
  private boolean written; // whether the work in hand is written
  private long startNanos;
  private int tries;
  private Optional<Long> retryNanos = Optional.empty();
  private boolean stalled;

  private GroupCommitWal(
      Storage storage, WalConfig config, Clock clock, WalListener listener, long newest)
      throws IOException {
    this.storage = storage;
    this.config = config;
    this.clock = clock;
    this.listener = listener;
    this.queue = new WalQueue(config, clock);
    this.files = new WalFiles(storage, config, listener);
    this.syncs = new SyncHistory(config.rollPolicy());
    this.active = begin(newest);
  }

  /** Begins the first file. Retries as after a failed file, but not on a full disk. */
  private ActiveWalFile begin(long newest) throws IOException {
    for (int tries = 1; ; tries++) {
      try {
        return new ActiveWalFile(storage, config, clock, files, listener, newest);
      } catch (ActiveWalFile.FencedException e) {
        throw e;
      } catch (IOException e) {
        boolean last = tries == config.recovery().tries() || Thread.currentThread().isInterrupted();
        if (last || DiskFullException.isCauseOf(e)) {
          throw e;
        }
        if (tries == 1) {
          listener.beginFailed(config.directory(), e);
        }
        clock.park(config.recovery().pauseNanos());
      }
    }
  }

  /**
   * Begins a log: creates its directory and its first file, and starts its thread.
   *
   * @param threads creates the polling thread, which ends when the log is closed or fails
   */
  public static GroupCommitWal open(
      Storage storage, WalConfig config, Clock clock, ThreadFactory threads, WalListener listener)
      throws IOException {
    GroupCommitWal wal = open(storage, config, clock, listener);
    threads.newThread(() -> wal.queue.drive(wal::poll)).start();
    return wal;
  }

  /**
   * Begins another log in the directory of an open log. Unlike {@link #open}, never creates the
   * directory, because recovery may have renamed it.
   *
   * @throws dev.cairn.engine.storage.FencedException if the directory is gone
   */
  public static GroupCommitWal openBeside(
      Storage storage, WalConfig config, Clock clock, ThreadFactory threads, WalListener listener)
      throws IOException {
    GroupCommitWal wal = begin(storage, config, clock, listener);
    threads.newThread(() -> wal.queue.drive(wal::poll)).start();
    return wal;
  }

  /**
   * Begins a log without a thread. The caller {@link #poll}s it; the clock's {@link Clock#park}
   * must poll it, too.
   */
  public static GroupCommitWal open(
      Storage storage, WalConfig config, Clock clock, WalListener listener) throws IOException {
    storage.createDirectories(config.directory());
    return begin(storage, config, clock, listener);
  }

  private static GroupCommitWal begin(
      Storage storage, WalConfig config, Clock clock, WalListener listener) throws IOException {
    long newest = 0;
    for (FileInfo file : storage.list(config.directory())) {
      newest = Math.max(newest, WalFileName.number(file.path()).orElse(0));
    }
    return new GroupCommitWal(storage, config, clock, listener, newest);
  }

  /** Returns the path of the file that is being written. */
  public String currentPath() {
    return active.path();
  }

  @Override
  public long append(WalEntry entry, boolean mayWait) throws IOException {
    long txid = queue.append(entry);
    while (txid == WalQueue.NO_ROOM && mayWait) {
      try (PhaseTimes.Wait wait = PhaseTimes.begin(PhaseTimes.Phase.LOG, clock)) {
        queue.awaitRoom();
      }
      txid = queue.append(entry);
    }
    if (txid == WalQueue.FAILED) {
      throw failure();
    }
    if (txid == WalQueue.CLOSED) {
      throw new IOException("The write-ahead log in " + config.directory() + " is closed");
    }
    return txid;
  }

  @Override
  public void sync(long txid) throws IOException {
    sync(txid, config.syncLevel());
  }

  @Override
  public void sync(long txid, SyncLevel syncLevel) throws IOException {
    checkKnown(txid);
    SyncLevel wanted = atLeastConfigured(syncLevel);
    try (PhaseTimes.Wait wait = PhaseTimes.begin(PhaseTimes.Phase.LOG, clock)) {
      Optional<WalQueue.Work> led = queue.tryLead(txid, wanted);
      if (led.isPresent()) {
        commitAsLeader(led.get());
      }
      if (!queue.await(txid, wanted)) {
        throw failure();
      }
    }
  }

  @Override
  public void whenDurable(long txid, SyncLevel syncLevel, DurabilityListener told) {
    checkKnown(txid);
    queue.whenDurable(txid, atLeastConfigured(syncLevel), told);
  }

  @Override
  public void requestSync() {
    queue.requestSync();
  }

  @Override
  public CompletableFuture<Void> settled(long txid, SyncLevel syncLevel) {
    return queue.settled(txid, atLeastConfigured(syncLevel));
  }

  private void checkKnown(long txid) {
    if (txid > queue.lastTxid()) {
      throw new IllegalArgumentException("No entry has the txid " + txid + " yet");
    }
  }

  private SyncLevel atLeastConfigured(SyncLevel syncLevel) {
    return syncLevel.compareTo(config.syncLevel()) < 0 ? config.syncLevel() : syncLevel;
  }

  @Override
  public void checkWritable() throws IOException {
    if (queue.failure().isPresent()) {
      throw failure();
    }
    queue.checkNotStalled();
  }

  @Override
  public long commitNanos() {
    return watch.nanos(clock.nanoTime());
  }

  @Override
  public long waitNanos() {
    return wait.nanos(clock.nanoTime());
  }

  @Override
  public long lastTxid() {
    return queue.lastTxid();
  }

  @Override
  public long durableTxid() {
    return queue.durableTxid();
  }

  @Override
  public void roll() throws IOException {
    try {
      clock.join(queue.requestRoll());
    } catch (CompletionException e) {
      if (queue.failure().isPresent()) {
        throw failure();
      }
      throw new IOException(
          "The write-ahead log goes on in "
              + active.path()
              + ", since no new file could be begun: "
              + e.getCause().getMessage(),
          e.getCause());
    }
    files.archive();
  }

  @Override
  public void flushed(String region, long sequence) {
    files.flushed(region, sequence);
    files.archive();
  }

  @Override
  public void regionClosed(String region) {
    Optional<Long> newest = queue.appended(region);
    if (newest.isPresent()) {
      queue.forget(region);
      flushed(region, newest.get());
    }
  }

  @Override
  public Map<String, Long> regionsToFlush() {
    return files.regionsToFlush();
  }

  /**
   * {@inheritDoc}
   *
   * @throws WalFailedException if the log had failed or fails now; it is closed all the same
   */
  @Override
  public void close() throws IOException {
    queue.close();
    clock.join(ended);
    if (queue.failure().isPresent()) {
      throw failure();
    }
    files.archive();
    if (storage.list(config.directory()).isEmpty()) {
      storage.delete(config.directory());
    }
  }

  /** A fresh exception, with the caller's stack, for a failure that happened elsewhere. */
  private WalFailedException failure() {
    return queue
        .failure()
        .map(first -> new WalFailedException(active.path(), first.getCause()))
        .orElseThrow(() -> new IllegalStateException("The log has not failed"));
  }

  /**
   * Does the next work, and blocks only on the disk. One thread at a time.
   *
   * @param nowNanos the clock's {@link Clock#nanoTime}
   * @return nanoseconds until the next poll, if no other call to the log comes first: 0 for at
   *     once, {@link Long#MAX_VALUE} for never; or {@link #ENDED}
   */
  public long poll(long nowNanos) {
    if (ended.isDone()) {
      return ENDED;
    }
    try {
      return work(nowNanos);
    } catch (Throwable t) {
      try {
        fail(t);
      } finally {
        inHand
            .flatMap(WalQueue.Work::roll)
            .ifPresent(waiting -> waiting.completeExceptionally(t)); // later calls see the failure
        ended.complete(null);
      }
      return 0;
    }
  }

  private long work(long nowNanos) throws IOException {
    if (inHand.isEmpty()) {
      inHand = queue.take(nowNanos);
      if (inHand.isEmpty()) {
        return queue.restNanos();
      }
      written = false;
      startNanos = clock.nanoTime();
    }
    WalQueue.Work work = inHand.get();
    if (!written && !active.hasFailed()) { // a waiting thread's commit may have failed
      tryWrite(work);
    }
    if (isReplaced(work, nowNanos) && (isAsked(work.roll()) || isRollDue())) {
      roll(work.roll());
    }
    if (!isReplaced(work, nowNanos)) {
      return queue.isClosing() ? 0 : retryNanos.get() - nowNanos;
    }
    if (work.end()) {
      return finish();
    }
    inHand = Optional.empty();
    return 0;
  }

  private void tryWrite(WalQueue.Work work) {
    try {
      write(work, startNanos);
      written = true;
    } catch (IOException e) {
      // The file remembers the failure; the caller replaces the file.
    }
  }

  /** Commits one group on a waiting thread. The log's thread recovers from any failure. */
  private void commitAsLeader(WalQueue.Work work) {
    try {
      write(work, clock.nanoTime());
      queue.endLead(isRollDue());
    } catch (IOException e) {
      queue.endLeadUndone(work);
    } catch (RuntimeException | Error e) {
      queue.endLeadBroken(e);
    }
  }

  private void write(WalQueue.Work work, long startNanos) throws IOException {
    long startPosition = active.position();
    SyncLevel syncLevel = active.wantsSync() ? SyncLevel.SYNCED : work.syncLevel();
    watch.begin(startNanos);
    wait.beginIfEnded(startNanos);
    try {
      active.write(work.entries(), syncLevel);
    } finally {
      watch.end();
    }
    long endNanos = clock.nanoTime();
    syncs.add(endNanos, endNanos - startNanos, active.copies());
    done(work, syncLevel, active.position() - startPosition, startNanos);
  }

  private void done(WalQueue.Work work, SyncLevel syncLevel, long bytes, long startNanos) {
    int entries = work.entries().size();
    wait.end();
    queue.done(work, syncLevel);
    if (entries > 0) {
      listener.groupCommitted(entries, bytes, clock.nanoTime() - startNanos);
    }
  }

  /**
   * Replaces the file if it has failed, and writes all entries that are not durable, and {@code
   * work} if it is not written yet, to the new file. Returns true if the file is usable, false if
   * the replacement is retried at {@link #retryNanos}. An exception fails the log for good.
   */
  private boolean isReplaced(WalQueue.Work work, long nowNanos) throws IOException {
    if (!active.hasFailed()) {
      return true;
    }
    wait.beginIfEnded(nowNanos);
    boolean last = retryNanos.isPresent() && queue.isClosing();
    if (retryNanos.isPresent() && !last && nowNanos - retryNanos.get() < 0) {
      return false;
    }
    try {
      active.replace(written ? List.of() : work.entries());
    } catch (ActiveWalFile.FencedException e) {
      throw e;
    } catch (IOException e) {
      WalRecovery recovery = config.recovery();
      boolean full = DiskFullException.isCauseOf(e);
      tries = full ? 0 : tries + 1;
      if (last || tries == recovery.tries()) {
        throw e;
      }
      if (full) {
        stall(e, work.roll());
      }
      retryNanos = Optional.of(nowNanos + (full ? recovery.probeNanos() : recovery.pauseNanos()));
      return false;
    }
    tries = 0;
    retryNanos = Optional.empty();
    wait.end();
    syncs.rolled();
    if (stalled) {
      stalled = false;
      queue.resume();
      listener.resumed();
    }
    if (!written) {
      written = true;
      done(work, SyncLevel.SYNCED, active.position(), startNanos);
    }
    return true;
  }

  private void stall(IOException cause, Optional<CompletableFuture<Void>> roll) {
    if (!stalled) {
      stalled = true;
      WalStalledException told = new WalStalledException(config.directory(), cause);
      queue.stall(told);
      roll.ifPresent(waiting -> waiting.completeExceptionally(told));
      listener.stalled(told);
    }
  }

  /** Tells whether the file's length or syncs call for a roll, and no roll has failed just now. */
  private boolean isRollDue() {
    return (active.position() >= config.rollSizeBytes() || syncs.isRollDue())
        && rollFailedNanos
            .map(then -> clock.nanoTime() - then >= config.recovery().probeNanos())
            .orElse(true);
  }

  private static boolean isAsked(Optional<CompletableFuture<Void>> roll) {
    return roll.isPresent() && !roll.get().isDone();
  }

  private void roll(Optional<CompletableFuture<Void>> roll) throws IOException {
    rollFailedNanos = Optional.empty();
    try {
      active.roll();
      syncs.rolled();
      roll.ifPresent(waiting -> waiting.complete(null));
    } catch (ActiveWalFile.FencedException e) {
      throw e;
    } catch (IOException e) {
      rollFailedNanos = Optional.of(clock.nanoTime());
      listener.rollFailed(active.path(), e);
      roll.ifPresent(waiting -> waiting.completeExceptionally(e));
    }
  }

  private long finish() {
    try {
      active.finish();
    } catch (IOException e) {
      return 0; // the next poll replaces the failed file, then finishes
    }
    queue.ended();
    ended.complete(null);
    return 0;
  }

  private void fail(Throwable cause) {
    WalFailedException failure = new WalFailedException(active.path(), cause);
    try {
      queue.fail(failure);
    } finally {
      try {
        active.abandon();
      } catch (IOException e) {
        cause.addSuppressed(e);
      }
      listener.failed(failure);
    }
  }
}
