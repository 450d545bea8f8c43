package dev.cairn.server.regionserver.client;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.RecoveredNonces;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.file.Nonce;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.RegionTooBusyException;

/**
 * Makes changes that must not happen twice (increments, appends) safe to retry: the client numbers
 * each one, and a repeated request with a served number gets the first outcome.
 *
 * <p>A number is remembered for {@code keepMillis} after its change was done, while all of them
 * take no more than {@code maxBytes}; then the oldest goes first. A failed change is forgotten at
 * once, and the next try begins it again. The next owner of a region gets the numbers from the log
 * and the store files, but not the results.
 *
 * <p>Thread-safe. No lock is held while a change runs.
 */
public final class NonceManager {
  /** The number that means none. */
  static final long NO_NONCE = 0;

  private static final long ENTRY_OVERHEAD_BYTES = 160;

  /**
   * The outcome of a numbered change.
   *
   * @param processed true if its condition held, if it had one
   * @param cells the cells that it returned
   */
  record Remembered(boolean processed, CellBuffer cells) {
    /**
     * Returns the result of a change.
     *
     * @throws IOException if the change was not made; tells why
     */
    static Remembered of(MutationOutcome outcome) throws IOException {
      return new Remembered(!(outcome instanceof MutationOutcome.NotMet), outcome.cells());
    }
  }

  private record Key(long group, long nonce) {}

  private record Aged(Key key, long doneMillis, long bytes) {}

  /** A change that is to run, or that has run before. */
  sealed interface Admission {
    /** It has run before, with this outcome. */
    record Repeated(Remembered outcome) implements Admission {}

    /** An earlier owner of the region has run it; its result is not known. */
    record Recovered() implements Admission {}

    /** It is to run now. Must be ended by either method. */
    final class First implements Admission {
      private final NonceManager nonces;
      private final Key key;
      private final CompletableFuture<Optional<Remembered>> future;

      private First(NonceManager nonces, Key key, CompletableFuture<Optional<Remembered>> future) {
        this.nonces = nonces;
        this.key = key;
        this.future = future;
      }

      /** The change is done, refused or postponed, as {@code outcome} states. */
      void ended(MutationOutcome outcome) {
        if (outcome instanceof MutationOutcome.Done done) {
          done(new Remembered(true, done.cells()));
        } else if (outcome instanceof MutationOutcome.Undecided undecided) {
          postponed(undecided.cause().outcome());
        } else {
          failed();
        }
      }

      /** It is done. */
      void done(Remembered outcome) {
        nonces.done(this, outcome);
      }

      /** It failed, and nothing of it is written. */
      void failed() {
        nonces.entries.remove(key, future);
        future.complete(Optional.empty());
      }

      /**
       * Its end comes later, with {@code outcome}: the cells that it returns, or a failure if
       * nothing of it will ever be seen. Until then callers do not wait for it: a repeated request
       * is asked to come again.
       */
      void postponed(CompletableFuture<CellBuffer> outcome) {
        nonces.postponed.add(key);
        outcome.whenComplete(
            (cells, failure) -> {
              if (failure == null) {
                done(new Remembered(true, cells));
              } else {
                failed();
              }
              nonces.postponed.remove(key);
            });
      }
    }
  }

  private final Clock clock;
  private final long keepMillis;
  private final long maxBytes;
  private final Map<Key, CompletableFuture<Optional<Remembered>>> entries =
      new ConcurrentHashMap<>();
  private final Set<Key> postponed = ConcurrentHashMap.newKeySet();
  private final Queue<Aged> oldestFirst = new ConcurrentLinkedQueue<>();
  private final AtomicLong bytes = new AtomicLong();

  /** Stands for the unknown result of a change that an earlier owner of the region made. */
  private final Remembered lost = new Remembered(true, new CellBuffer(0, 0));

  /** Creates an empty memory. */
  public NonceManager(Clock clock, long keepMillis, long maxBytes) {
    this.clock = clock;
    this.keepMillis = keepMillis;
    this.maxBytes = maxBytes;
  }

  /** Tells whether the change of that number is running at this moment. */
  boolean isRunning(long group, long nonce) {
    CompletableFuture<Optional<Remembered>> future = entries.get(new Key(group, nonce));
    return future != null && !future.isDone();
  }

  /**
   * Admits a change. If the same one is running, waits for its end, unless that is postponed.
   *
   * @param waitMillis how long to wait at most
   * @throws RegionTooBusyException if that was not enough; the client tries again
   */
  Admission admit(long group, long nonce, long waitMillis) throws IOException {
    Key key = new Key(group, nonce);
    CompletableFuture<Optional<Remembered>> own = new CompletableFuture<>();
    while (true) {
      CompletableFuture<Optional<Remembered>> other = entries.putIfAbsent(key, own);
      if (other == null) {
        return new Admission.First(this, key, own);
      }
      if (postponed.contains(key) && !other.isDone()) {
        throw new RegionTooBusyException(
            "The first try of the change with nonce " + nonce + " waits for room on the disk");
      }
      Optional<Remembered> outcome = await(other, nonce, waitMillis);
      if (outcome.isPresent() && outcome.get() == lost) {
        return new Admission.Recovered();
      }
      if (outcome.isPresent()) {
        return new Admission.Repeated(outcome.get());
      }
    }
  }

  /** Admits a change, if its number is new. */
  Optional<Admission.First> tryAdmit(long group, long nonce) {
    Key key = new Key(group, nonce);
    CompletableFuture<Optional<Remembered>> own = new CompletableFuture<>();
    return entries.putIfAbsent(key, own) == null
        ? Optional.of(new Admission.First(this, key, own))
        : Optional.empty();
  }

  /** Records a change that an earlier owner of a region made; see {@link RecoveredNonces}. */
  public void recovered(Nonce nonce, long writeTimeMillis) {
    if (writeTimeMillis < clock.currentTimeMillis() - keepMillis) {
      return;
    }
    Key key = new Key(nonce.group(), nonce.number());
    if (entries.putIfAbsent(key, CompletableFuture.completedFuture(Optional.of(lost))) == null) {
      oldestFirst.add(new Aged(key, writeTimeMillis, ENTRY_OVERHEAD_BYTES));
      bytes.addAndGet(ENTRY_OVERHEAD_BYTES);
    }
  }

  /** Tells whether {@link #expire} would forget anything. Does not block. */
  public boolean isExpiryDue() {
    Aged oldest = oldestFirst.peek();
    return oldest != null && isTooOld(oldest);
  }

  private boolean isTooOld(Aged change) {
    return change.doneMillis() < clock.currentTimeMillis() - keepMillis || bytes.get() > maxBytes;
  }

  /** Forgets old numbers; to be called periodically. */
  public void expire() {
    for (Aged oldest = oldestFirst.peek();
        oldest != null && isTooOld(oldest);
        oldest = oldestFirst.peek()) {
      if (oldestFirst.remove(oldest)) {
        entries.remove(oldest.key());
        bytes.addAndGet(-oldest.bytes());
      }
    }
  }

  /** Returns how many changes are remembered or running. */
  int size() {
    return entries.size();
  }

  private void done(Admission.First first, Remembered outcome) {
    // A separate copy: the response continues to use the buffer, and ours should not be oversized.
    CellBuffer cells = new CellBuffer(outcome.cells().byteSize(), outcome.cells().size());
    cells.addAll(outcome.cells());
    long size = ENTRY_OVERHEAD_BYTES + cells.byteSize();
    first.future.complete(Optional.of(new Remembered(outcome.processed(), cells)));
    oldestFirst.add(new Aged(first.key, clock.currentTimeMillis(), size));
    if (bytes.addAndGet(size) > maxBytes) {
      expire();
    }
  }

  private Optional<Remembered> await(
      CompletableFuture<Optional<Remembered>> other, long nonce, long waitMillis)
      throws IOException {
    try {
      if (clock.await(other, TimeUnit.MILLISECONDS.toNanos(waitMillis))) {
        return other.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RegionTooBusyException("Interrupted while waiting for the first try of a change");
    }
    throw new RegionTooBusyException(
        "The first try of the change with nonce " + nonce + " is still running");
  }
}
