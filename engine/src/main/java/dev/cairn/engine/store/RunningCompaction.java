package dev.cairn.engine.store;

import dev.cairn.engine.time.Clock;
import java.util.List;

/**
 * Counts the cells of one running compaction. Its thread counts; any thread takes the {@link
 * #progress}.
 */
final class RunningCompaction {
  /** Other threads see new counts after this many written cells. */
  private static final int CELLS_BETWEEN = 256;

  private final Clock clock;
  private final String family;
  private final boolean major;
  private final int files;
  private final long inputBytes;
  private final long inputCells;
  private final long begunNanos;

  private long writtenCells;
  private long writtenBytes;
  private volatile Counts shown = new Counts(0, 0, 0);

  private record Counts(long readCells, long writtenCells, long writtenBytes) {}

  RunningCompaction(Clock clock, String family, List<StoreFile> inputs, boolean major) {
    this.clock = clock;
    this.family = family;
    this.major = major;
    this.files = inputs.size();
    this.inputBytes = inputs.stream().mapToLong(StoreFile::length).sum();
    this.inputCells = inputs.stream().mapToLong(RunningCompaction::cells).sum();
    this.begunNanos = clock.nanoTime();
  }

  private static long cells(StoreFile file) {
    long all = file.reader().info().entryCount();
    return file.isReference() ? all / 2 : all;
  }

  long inputBytes() {
    return inputBytes;
  }

  /**
   * Counts a cell that was written.
   *
   * @param readCells how many cells were read until now
   */
  void wrote(int bytes, long readCells) {
    writtenCells++;
    writtenBytes += bytes;
    if (writtenCells % CELLS_BETWEEN == 0) {
      shown = new Counts(readCells, writtenCells, writtenBytes);
    }
  }

  CompactionProgress progress() {
    Counts now = shown;
    return new CompactionProgress(
        family,
        major,
        files,
        inputBytes,
        inputCells,
        now.readCells(),
        now.writtenCells(),
        now.writtenBytes(),
        clock.nanoTime() - begunNanos);
  }
}
