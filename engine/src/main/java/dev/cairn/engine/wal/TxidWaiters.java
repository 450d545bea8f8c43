package dev.cairn.engine.wal;

import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.Wal.DurabilityListener;
import dev.cairn.engine.wal.file.SyncLevel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The txids up to which the log is flushed and synced, and the waiters for later txids. Any thread
 * may call {@link #isDurable}. {@link #tellAll} is called after the {@link WalQueue}'s lock is
 * released; all other methods require that lock.
 */
final class TxidWaiters {
  /**
   * A waiter for a txid.
   *
   * @param impatient true if it fails when the log stalls
   */
  record Waiter(long txid, SyncLevel syncLevel, DurabilityListener told, boolean impatient) {}

  /** A thread that waits for a txid, parked. */
  static final class ParkedThread implements DurabilityListener {
    private final Thread thread = Thread.currentThread();
    private final Clock clock;
    private volatile boolean sentAway;

    ParkedThread(Clock clock) {
      this.clock = clock;
    }

    @Override
    public void durable() {
      clock.unpark(thread);
    }

    @Override
    public void notDurable(IOException cause) {
      sentAway |= cause instanceof WalStalledException;
      clock.unpark(thread);
    }

    /** Returns whether the log stalled and this thread must stop waiting. */
    boolean isSentAway() {
      return sentAway;
    }
  }

  /** A future that completes when the txid is durable. */
  record Promise(CompletableFuture<Void> future) implements DurabilityListener {
    @Override
    public void durable() {
      future.complete(null);
    }

    @Override
    public void notDurable(IOException cause) {
      future.completeExceptionally(cause);
    }
  }

  private final List<Waiter> waiting = new ArrayList<>();

  // Written under the queue's lock, read without.
  private volatile long flushedTxid;
  private volatile long syncedTxid;

  /** Tells whether {@code txid} has reached {@code syncLevel}. */
  boolean isDurable(long txid, SyncLevel syncLevel) {
    return txid <= durableTxid(syncLevel);
  }

  /** Returns the txid up to which all have reached {@code syncLevel}. */
  long durableTxid(SyncLevel syncLevel) {
    return syncLevel == SyncLevel.SYNCED ? syncedTxid : flushedTxid;
  }

  /** Records that all txids up to this one reached {@code syncLevel}. Notifies no waiters. */
  void durableUpTo(long txid, SyncLevel syncLevel) {
    flushedTxid = txid;
    if (syncLevel == SyncLevel.SYNCED) {
      syncedTxid = txid;
    }
  }

  /** Adds a waiter whose txid is not durable yet. */
  void add(Waiter waiter) {
    waiting.add(waiter);
  }

  /** Tells whether there are no waiters. */
  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Returns whether a waiter needs its txid on the device. */
  boolean wantSynced() {
    return waiting.stream().anyMatch(waiter -> waiter.syncLevel() == SyncLevel.SYNCED);
  }

  /** Removes and returns the waiters whose txids are durable, for {@link #tellAll}. */
  List<Waiter> takeDurable() {
    List<Waiter> durable = new ArrayList<>();
    waiting.removeIf(
        waiter -> {
          boolean served = isDurable(waiter.txid(), waiter.syncLevel());
          if (served) {
            durable.add(waiter);
          }
          return served;
        });
    return durable;
  }

  /** Removes and returns the waiters that fail when the log stalls, for {@link #tellAll}. */
  List<Waiter> takeImpatient() {
    List<Waiter> impatient = waiting.stream().filter(Waiter::impatient).toList();
    waiting.removeAll(impatient);
    return impatient;
  }

  /** Removes and returns all waiters, for {@link #tellAll}. */
  List<Waiter> takeAll() {
    List<Waiter> all = List.copyOf(waiting);
    waiting.clear();
    return all;
  }

  /**
   * Notifies each waiter, even if one throws (which it must not), because the others would wait for
   * ever. Then rethrows the first exception, which fails the log.
   */
  static void tellAll(List<Waiter> waiters, Consumer<DurabilityListener> message) {
    Optional<Throwable> thrown = Optional.empty();
    for (Waiter waiter : waiters) {
      try {
        message.accept(waiter.told());
      } catch (RuntimeException | Error e) {
        thrown.ifPresent(first -> suppress(first, e));
        thrown = thrown.or(() -> Optional.of(e));
      }
    }
    if (thrown.isPresent()) {
      if (thrown.get() instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) thrown.get();
    }
  }

  private static void suppress(Throwable first, Throwable next) {
    if (next != first) {
      first.addSuppressed(next);
    }
  }
}
