package dev.cairn.engine.store;

/**
 * How far a running compaction of one store has come; up to a few hundred cells late.
 *
 * @param family the family
 * @param major whether it merges all files
 * @param files how many files it merges
 * @param inputBytes the length of these files, bytes
 * @param inputCells about how many cells they have; half of a file's if only one side of it counts
 * @param readCells how many cells it has read
 * @param writtenCells how many of them it has written
 * @param writtenBytes the bytes of the written cells, before encoding and compression
 * @param nanos how long it has run
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
