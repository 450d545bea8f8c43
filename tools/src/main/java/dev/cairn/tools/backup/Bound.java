package dev.cairn.tools.backup;

import dev.cairn.engine.wal.file.WalEntry;

/** The changes that a restored table has. */
public sealed interface Bound {
  /** All that the backups have. */
  record Latest() implements Bound {
    @Override
    public boolean has(WalEntry entry) {
      return true;
    }
  }

  /**
   * Those that were written until a time.
   *
   * @param millis the last time that counts, milliseconds since 1970
   */
  record Until(long millis) implements Bound {
    @Override
    public boolean has(WalEntry entry) {
      return entry.writeTimeMillis() <= millis;
    }
  }

  /**
   * Those up to a change: of its region by number, of other regions by time.
   *
   * @param sequence the last number of the region that counts
   * @param millis when the change was written, milliseconds since 1970
   */
  record UpTo(String region, long sequence, long millis) implements Bound {
    @Override
    public boolean has(WalEntry entry) {
      return entry.region().equals(region)
          ? entry.sequence() <= sequence
          : entry.writeTimeMillis() <= millis;
    }
  }

  /** Tells whether a change belongs to the restored table. */
  boolean has(WalEntry entry);
}
