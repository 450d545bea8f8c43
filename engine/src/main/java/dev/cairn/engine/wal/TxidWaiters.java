package dev.cairn.engine.wal;

import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Up to which ticket the log is safe, and who waits for more. Any thread may ask what is safe; all
 * else is for whoever holds the lock of the {@link WalQueue} that this belongs to, but for {@link
 * #tellAll}, which is for whoever has just let go of it.
 */
final class TxidWaiters {
  /**
   * Who waits for a ticket.
   *
   * @param impatient whether it is sent away when the log stalls
   */
  record Waiter(long ticket, Wal.SyncLevel safety, DurabilityListener told, boolean impatient) {}

  /** A thread that waits for a ticket, parked. */
  static final class ParkedThread implements DurabilityListener {
    private final Thread thread = Thread.currentThread();
    private final Clock clock;
    private volatile boolean sentAway;

    ParkedThread(Clock clock) {
      this.clock = clock;
    }

    @Override
    public void safe() {
      clock.unpark(thread);
    }

    @Override
    public void notDurable(IOException cause) {
      sentAway |= cause instanceof WalStalledException;
      clock.unpark(thread);
    }

    /** Tells whether the log has stalled, and this thread is not to wait for it. */
    boolean isSentAway() {
      return sentAway;
    }
  }

  /** Somebody who has been given what completes then. */
  record Promise(CompletableFuture<Void> future) implements DurabilityListener {
    @Override
    public void safe() {
      future.complete(null);
    }

    @Override
    public void notDurable(IOException cause) {
      future.completeExceptionally(cause);
    }
  }

  private final List<Waiter> waiting = new ArrayList<>();

  // Written under the queue's lock, read without.
  private volatile long flushedTicket;
  private volatile long syncedTicket;

  /** Tells whether {@code ticket} is as safe as that. */
  boolean isSafe(long ticket, Wal.SyncLevel safety) {
    return ticket <= (safety == Wal.SyncLevel.SYNCED ? syncedTicket : flushedTicket);
  }

  /** Says that all up to {@code ticket} is as safe as that; nobody is told yet. */
  void safeUpTo(long ticket, Wal.SyncLevel safety) {
    flushedTicket = ticket;
    if (safety == Wal.SyncLevel.SYNCED) {
      syncedTicket = ticket;
    }
  }

  /** Adds one whose ticket is not safe yet. */
  void add(Waiter waiter) {
    waiting.add(waiter);
  }

  /** Tells whether nobody waits. */
  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Tells whether somebody waits until the ticket is on the device. */
  boolean wantSynced() {
    return waiting.stream().anyMatch(waiter -> waiter.safety() == Wal.SyncLevel.SYNCED);
  }

  /** Takes those away whose ticket is safe, for {@link #tellAll}. */
  List<Waiter> takeSafe() {
    List<Waiter> safe = new ArrayList<>();
    waiting.removeIf(
        waiter -> {
          boolean served = isSafe(waiter.ticket(), waiter.safety());
          if (served) {
            safe.add(waiter);
          }
          return served;
        });
    return safe;
  }

  /** Takes those away who do not wait for a log that has stalled, for {@link #tellAll}. */
  List<Waiter> takeImpatient() {
    List<Waiter> impatient = waiting.stream().filter(Waiter::impatient).toList();
    waiting.removeAll(impatient);
    return impatient;
  }

  /** Takes everybody away, for {@link #tellAll}. */
  List<Waiter> takeAll() {
    List<Waiter> all = List.copyOf(waiting);
    waiting.clear();
    return all;
  }

  /**
   * Tells each of the waiters, also if one throws, which it must not: the others would wait for
   * ever. The first that was thrown is thrown in the end, and fails the log.
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
