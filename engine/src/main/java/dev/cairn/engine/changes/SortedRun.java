package dev.cairn.engine.changes;

import dev.cairn.engine.wal.file.WalEntry;
import java.io.IOException;

/** Entries of one region, ordered by their number. Not thread-safe. */
interface SortedRun {
  /** Tells whether there is an entry. */
  boolean hasNext();

  /** Returns the number of the next entry. */
  long sequence();

  /** Returns when the next entry was written, milliseconds since 1970. */
  long writeTimeMillis();

  /** Removes and returns the next entry. */
  WalEntry take() throws IOException;
}
