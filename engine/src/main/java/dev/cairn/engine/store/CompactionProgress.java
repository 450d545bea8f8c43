package dev.cairn.engine.store;

/**
 * The progress of a running compaction of one store; up to a few hundred cells late.
 *
 * @param family the family
 * @param major true if it merges all files
 * @param files number of files it merges
 * @param inputBytes the length of these files, bytes
 * @param inputCells approximate number of cells in these files; for a reference, half of the file's
 * @param readCells number of cells it has read
 * @param writtenCells number of cells it has written
 * @param writtenBytes the bytes of the written cells, before encoding and compression
 * @param nanos its run time so far
 */
public record CompactionProgress(
    String family,
    boolean major,
    int files,
    long inputBytes,
    long inputCells,
    long readCells,
    long writtenCells,
    long writtenBytes,
    long nanos) {
  /** Returns the share of the cells that it has read, from 0 to 1. */
  public double share() {
    return inputCells == 0 ? 0 : Math.min(1, (double) readCells / inputCells);
  }

  /** Returns about how long it will still run, nanoseconds; -1 before anything is known. */
  public long remainingNanos() {
    return readCells == 0
        ? -1
        : (long) (nanos * (double) Math.max(0, inputCells - readCells) / readCells);
  }
}
