package dev.cairn.engine.wal;

import dev.cairn.engine.wal.file.WalEntry;
import java.io.IOException;

/** Stands between the regions and a log, and sees or changes what they log. Thread-safe. */
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
   * @param entry an entry, which stays as it is
   * @param log queues the entry, or one with other cells and attributes; must be called once,
   *     unless this call throws an exception
   * @return the txid
   * @throws IOException refuses the write
   */
  long append(WalEntry entry, Queue log) throws IOException;
}
