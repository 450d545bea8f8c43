package dev.cairn.engine.wal;

import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A server's write-ahead log. Appending only queues an entry; {@link #sync} makes it durable, and
 * many writers share one sync: callers that come while a sync runs are served together by the next
 * one.
 *
 * <p><b>A failed file is not written again.</b> When a write or a sync fails, the contents of that
 * file are unknown. The log continues in a new one: it writes all unacknowledged entries again,
 * makes them durable, and only then acknowledges. The failed file stays until its possible entries
 * are flushed, and a recovery of the log may find an entry in both.
 *
 * <p><b>On a full disk the log stalls.</b> Appending and waiting fail with {@link
 * WalStalledException} at once. Earlier appended entries are kept and written when there is room;
 * {@link #settled} reports that. If the next file cannot be created for another reason, the log
 * fails for good: every waiting and every later call fails with a {@link WalFailedException}, every
 * entry reported as durable is durable, and the owner stops accepting writes.
 *
 * <p><b>Threads.</b> All methods may be called by any thread. Entries of one region are logged in
 * the order in which their {@code append} calls happened.
 */
public interface Wal extends Closeable {
  /** Returned for an entry that was not queued, because the caller would have had to wait. */
  long NO_ROOM = WalQueue.NO_ROOM;

  /**
   * Queues an entry. Its cells must not change afterwards. Waits while too much is queued, if the
   * caller may wait.
   *
   * @return a txid for {@link #sync}; txids ascend. {@link #NO_ROOM} if the caller must not wait
   *     and would have to; then nothing is done
   */
  long append(WalEntry entry, boolean mayWait) throws IOException;

  /** Queues an entry, as {@link #append(WalEntry, boolean)}, and waits if need be. */
  default long append(WalEntry entry) throws IOException {
    return append(entry, true);
  }

  /**
   * Blocks until the entry with {@code txid} and all entries before it have the log's configured
   * {@link SyncLevel}. Returns at once if they have it already.
   */
  void sync(long txid) throws IOException;

  /** As {@link #sync(long)}, with at least {@code syncLevel}. */
  void sync(long txid, SyncLevel syncLevel) throws IOException;

  /**
   * Notifies {@code told} when {@link #sync(long, SyncLevel)} would return, or would throw an
   * exception, without blocking the caller.
   *
   * <p>Does not wake the log's thread: the caller calls {@link #requestSync} once after a series of
   * calls. Without it the log takes some milliseconds.
   */
  void whenDurable(long txid, SyncLevel syncLevel, DurabilityListener told);

  /** Requests an immediate sync for earlier {@link #whenDurable} calls. Does not block. */
  void requestSync();

  /**
   * Returns a future that completes once the entry with {@code txid}, and all before it, are as
   * durable as {@link #sync(long, SyncLevel)} would make them. It completes with a {@link
   * WalFailedException} when the log fails for good. For entries whose outcome is open since {@link
   * #sync} failed with {@link WalStalledException}. Requests no sync itself. Completes on the
   * thread that writes the log, so dependent actions must not block.
   */
  CompletableFuture<Void> settled(long txid, SyncLevel syncLevel);

  /**
   * Checks that {@link #append} would accept an entry now.
   *
   * @throws WalStalledException if the disk is full
   * @throws WalFailedException if the log failed for good
   */
  void checkWritable() throws IOException;

  /**
   * Returns the duration of the current group commit, nanoseconds; 0 if none runs. A large value
   * means that the disk does not respond.
   */
  long commitNanos();

  /**
   * Returns the time that the log has tried to complete the current group commit, in one file or in
   * several, nanoseconds; 0 if there is none. A large value means that the storage accepts no
   * writes.
   */
  long waitNanos();

  /** Returns the txid of the newest entry, 0 before the first. */
  long lastTxid();

  /**
   * Returns the txid up to which all entries have the log's configured {@link SyncLevel}, 0 before
   * the first. Does not block.
   */
  long durableTxid();

  /**
   * Ends the current file, once everything in it is durable, and begins a new one; then archives
   * unneeded files.
   *
   * @throws IOException if the new file could not be begun; the log continues in its present file
   */
  void roll() throws IOException;

  /**
   * Records that all entries of {@code region} up to and including {@code sequence} are in store
   * files. Files in which every region's entries are flushed move to the archive at the next roll
   * or at once.
   */
  void flushed(String region, long sequence);

  /**
   * Records that {@code region} was closed here with everything flushed: the log need not keep its
   * entries.
   */
  void regionClosed(String region);

  /**
   * Returns the encoded names of the regions whose unflushed entries keep the oldest files from
   * being archived, if more than the configured number of files has gathered; else nothing. With
   * each comes the number up to which its entries have to be flushed for the log to shrink: those
   * of families that have nothing as old may stay in memory.
   */
  Map<String, Long> regionsToFlush();

  /**
   * Makes everything appended durable, then ends the log. Archives its files if no region needs
   * them.
   */
  @Override
  void close() throws IOException;

  /**
   * Receives the outcome of one entry ({@link Wal#whenDurable}). The log calls exactly one method,
   * once, on any thread, possibly before {@code whenDurable} has returned. Neither method may block
   * or throw.
   */
  interface DurabilityListener {
    /** The entry has reached the requested {@link SyncLevel}. */
    void durable();

    /**
     * The entry has not reached it.
     *
     * @param cause the exception that {@link Wal#sync(long, SyncLevel)} would throw; after a {@link
     *     WalStalledException} the entry may still become durable
     */
    void notDurable(IOException cause);
  }
}
