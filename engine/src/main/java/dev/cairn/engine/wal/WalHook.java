package dev.cairn.engine.wal;

import dev.cairn.engine.wal.file.WalEntry;
import java.io.IOException;

/** Sees each entry before a region logs it, and may change it. Thread-safe. */
@FunctionalInterface
public interface WalHook {
  /** Queues an entry in the log, and returns its txid. */
  @FunctionalInterface
  interface Queue {
    /** As {@link Wal#append(WalEntry)}. */
    long append(WalEntry entry) throws IOException;
  }

  /**
   * Called by the thread of a write, under the locks of its region, with each entry before it is
   * queued. Other writes of the region wait meanwhile.
   *
   * @param entry an entry, which must not be changed
   * @param log queues the entry, or one with other cells and attributes; must be called once,
   *     unless this call throws an exception
   * @return the txid
   * @throws IOException refuses the write
   */
  long append(WalEntry entry, Queue log) throws IOException;
}
