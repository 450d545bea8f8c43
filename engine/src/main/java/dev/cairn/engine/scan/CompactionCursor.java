package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.schema.FamilySchema;
import java.io.Closeable;
import java.io.IOException;

/** What of one family's cells survives a flush or a compaction. */
public final class CompactionCursor implements Closeable {
  /** What is rewritten. */
  public enum Mode {
    /** A memstore. */
    FLUSH,
    /** Some of a store's files. */
    MINOR,
    /** All of a store's files. */
    MAJOR
  }

  /**
   * Begins before the first cell.
   *
   * @param merged all that is rewritten, merged; positioned by this cursor, and closed with it
   * @param oldestReadPoint the lowest read point of any open scan; nothing that a scan at it or
   *     above may see is dropped
   * @param purgeDeletesAfterMillis how old (by its timestamp) a delete marker must be before a
   *     major compaction drops it ({@code hbase.hstore.time.to.purge.deletes}); 0 for any age
   */
  public CompactionCursor(
      CellCursor merged,
      FamilySchema family,
      Mode mode,
      long now,
      long oldestReadPoint,
      long purgeDeletesAfterMillis) {
    throw new UnsupportedOperationException();
  }

  /** Goes to the next cell that survives. Returns false if there is none. */
  public boolean next() throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Returns the current cell, with its sequence; valid until the next call. */
  public Cell cell() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
