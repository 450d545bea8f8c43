package dev.cairn.engine.wal.split;

/**
 * Tells which changes of a region are in its store files already, so that the split of a log can
 * leave them out.
 */
@FunctionalInterface
public interface FlushedEdits {
  /** Knows of no flush, so that a split leaves out nothing. */
  FlushedEdits NONE = region -> FlushedSequences.NONE;

  /**
   * Returns the sequence numbers up to which a region is known to be in store files; {@link
   * FlushedSequences#NONE} if nothing is known. May wait for another server.
   *
   * @param region the encoded name
   */
  FlushedSequences flushedOf(String region);
}
