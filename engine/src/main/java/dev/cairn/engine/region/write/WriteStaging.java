package dev.cairn.engine.region.write;

import dev.cairn.engine.region.feed.RegionFeed;
import dev.cairn.engine.region.state.Mvcc;
import dev.cairn.engine.region.state.RegionFailedException;
import dev.cairn.engine.region.state.RegionStores;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The first half of a region's write, under its rows' locks: under one short lock, the change takes
 * its number and is appended to the log, so that the log has entries in the order of their numbers;
 * then its cells go into the memstores. Thread-safe.
 */
public final class WriteStaging {
  private final RegionInfo info;
  private final String region; // its encoded name, which is a hash: too dear for each write
  private final RegionStores stores;
  private final Mvcc mvcc;
  private final Wal wal;
  private final Lock updates;
  private final WriteCompletion completion;
  private final RegionFeed feed; // null without replicas that follow the log
  private final ReentrantLock order = new ReentrantLock();

  /**
   * Creates the first half of a region's writes.
   *
   * @param updates is held while a change is numbered, logged and added; a flush that begins
   *     excludes it
   * @param completion completes the staged change
   * @param feed gets the logged changes; empty if no replica follows the log
   */
  public WriteStaging(
      RegionInfo info,
      RegionStores stores,
      Mvcc mvcc,
      Wal wal,
      Lock updates,
      WriteCompletion completion,
      Optional<RegionFeed> feed) {
    this.info = info;
    this.region = info.encodedName();
    this.stores = stores;
    this.mvcc = mvcc;
    this.wal = wal;
    this.updates = updates;
    this.completion = completion;
    this.feed = feed.orElse(null);
  }

  /**
   * Stages a change, whose rows the caller has locked.
   *
   * @throws WouldWaitException if the change would have to wait and the budget does not allow that;
   *     then nothing is done
   */
  public PendingWrite stage(StagedWrite change, WriteBudget budget) throws IOException {
    take(updates, budget);
    try {
      take(order, budget);
      Mvcc.Write write;
      long txid;
      try {
        write = mvcc.begin();
        txid = append(write, change, budget);
      } finally {
        order.unlock();
      }
      add(change, write);
      return completion.pending(write, txid, change.durability(), change.result());
    } finally {
      updates.unlock();
    }
  }

  private static void take(Lock lock, WriteBudget budget) {
    if (!lock(lock, budget.mayWait())) {
      throw WouldWaitException.INSTANCE;
    }
  }

  /**
   * Takes a lock, unless {@code mayWait} is false and it would have to be waited for, also because
   * others wait: a plain {@code tryLock} would overtake a flush that waits to exclude writes, again
   * and again, so that under many such writes it came to nothing for seconds.
   */
  public static boolean lock(Lock lock, boolean mayWait) {
    if (mayWait) {
      lock.lock();
      return true;
    }
    try {
      return lock.tryLock(0, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Returns the txid, 0 if there is nothing to log. */
  private long append(Mvcc.Write write, StagedWrite change, WriteBudget budget) throws IOException {
    if (change.logged().isEmpty()) {
      return 0;
    }
    long txid = 0;
    try {
      WalEntry entry =
          new WalEntry(
              region,
              info.table(),
              write.number(),
              change.millis(),
              change.logged(),
              change.nonce(),
              change.clusterIds(),
              change.attributes());
      txid = wal.append(entry, budget.mayWait());
      if (txid == Wal.NO_ROOM) {
        throw WouldWaitException.INSTANCE;
      }
      if (feed != null) {
        feed.add(write.number(), change.millis(), change.logged(), txid);
      }
      return txid;
    } finally {
      if (txid <= 0) {
        mvcc.complete(write);
      }
    }
  }

  private void add(StagedWrite change, Mvcc.Write write) throws IOException {
    try {
      stores.add(change.cells(), change.nonce(), write.number(), change.millis());
    } catch (RuntimeException | Error e) {
      RegionFailedException failure =
          new RegionFailedException(
              info.regionNameAsString()
                  + " accepts no more writes: a logged change could not be applied in memory",
              e);
      mvcc.fail(failure);
      throw failure;
    }
  }
}
