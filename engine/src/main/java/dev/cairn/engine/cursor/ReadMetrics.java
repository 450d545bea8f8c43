package dev.cairn.engine.cursor;

import dev.cairn.engine.cursor.FileAccess.NotInMemoryException;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.time.PhaseTimes;

/**
 * Counts the blocks and bytes that one read takes from memory and files. Plain fields, so that
 * counting costs next to nothing: one read, one thread at a time.
 *
 * <p>Sizes of blocks are their sizes in the file, with header and checksums, for blocks from the
 * file and from the cache; index blocks and Bloom filter chunks count like data blocks. The bytes
 * <em>looked at</em> are counted differently, as in HBase: the cells of a data block before
 * compression, once per visit, and only if a cell of the block was the next one of its store. The
 * caller that opens the cursors decides whether they are counted, by giving each cursor its own
 * metrics.
 */
public final class ReadMetrics {
  private final Clock clock;
  private FileAccess access;
  private long cachedBlocks;
  private long cachedBytes;
  private long diskBlocks;
  private long diskBytes;
  private long diskNanos;
  private long blockBytesLookedAt;
  private long memoryBytesLookedAt;
  private long enteredBytes;
  private long reportedCachedBlocks;
  private long reportedCachedBytes;

  /** Creates metrics that are all 0; the clock measures disk reads. */
  public ReadMetrics(Clock clock) {
    this(clock, FileAccess.ALWAYS);
  }

  private ReadMetrics(Clock clock, FileAccess access) {
    this.clock = clock;
    this.access = access;
  }

  /** Returns figures for a read whose caller ignores them. */
  public static ReadMetrics unused() {
    return new ReadMetrics(Clock.SYSTEM);
  }

  /** Returns figures that are all 0, of the same read. */
  public ReadMetrics another() {
    return new ReadMetrics(clock, access);
  }

  /**
   * Begins again with nothing counted, for another read.
   *
   * @param files decides whether that read may load blocks from files
   */
  public void restart(FileAccess files) {
    access = files;
    cachedBlocks = 0;
    cachedBytes = 0;
    diskBlocks = 0;
    diskBytes = 0;
    diskNanos = 0;
    blockBytesLookedAt = 0;
    memoryBytesLookedAt = 0;
    enteredBytes = 0;
    reportedCachedBlocks = 0;
    reportedCachedBytes = 0;
  }

  /** Counts a block that was found in the cache. */
  public void fromCache(int bytes) {
    cachedBlocks++;
    cachedBytes += bytes;
  }

  /**
   * Returns the moment at which a block begins to be read, for {@link #fromDisk}.
   *
   * @throws NotInMemoryException if nothing may be read from files
   */
  public long startOfRead() throws NotInMemoryException {
    access.beforeFile();
    return clock.nanoTime();
  }

  /** Counts a block that was read from its file since {@code startNanos}. */
  public void fromDisk(int bytes, long startNanos) {
    diskBlocks++;
    diskBytes += bytes;
    long now = clock.nanoTime();
    diskNanos += now - startNanos;
    PhaseTimes.readFromDisk(bytes, startNanos, now);
  }

  /**
   * Adds the blocks that were found in the cache since the last report to the times of the thread's
   * current operation. Called at the end of a read, because a look-up of the operation for each
   * block would cost more than counting the block.
   */
  public void reportCached() {
    if (cachedBlocks != reportedCachedBlocks) {
      PhaseTimes.readFromCache(
          cachedBlocks - reportedCachedBlocks, cachedBytes - reportedCachedBytes);
      reportedCachedBlocks = cachedBlocks;
      reportedCachedBytes = cachedBytes;
    }
  }

  /** Records that the cursor has entered a data block with so many bytes of cells. */
  public void entered(int bytes) {
    enteredBytes = bytes;
  }

  /** Records that the cursor's cell was looked at, and so was its block. */
  public void lookedIntoBlock() {
    blockBytesLookedAt += enteredBytes;
    enteredBytes = 0;
  }

  /** Records that a cell in memory was looked at. */
  public void lookedAtMemory(int bytes) {
    memoryBytesLookedAt += bytes;
  }

  /** Adds all of {@code other}. */
  public void add(ReadMetrics other) {
    add(other, 1);
  }

  /** Takes all of {@code earlier} off. */
  public void subtract(ReadMetrics earlier) {
    add(earlier, -1);
  }

  private void add(ReadMetrics other, int times) {
    cachedBlocks += times * other.cachedBlocks;
    cachedBytes += times * other.cachedBytes;
    diskBlocks += times * other.diskBlocks;
    diskBytes += times * other.diskBytes;
    diskNanos += times * other.diskNanos;
    blockBytesLookedAt += times * other.blockBytesLookedAt;
    memoryBytesLookedAt += times * other.memoryBytesLookedAt;
  }

  /** Returns how many blocks were found in the cache. */
  public long cachedBlocks() {
    return cachedBlocks;
  }

  /** Returns the bytes of blocks found in the cache. */
  public long cachedBytes() {
    return cachedBytes;
  }

  /** Returns how many blocks were read from files. */
  public long diskBlocks() {
    return diskBlocks;
  }

  /** Returns the bytes of blocks read from files. */
  public long diskBytes() {
    return diskBytes;
  }

  /** Returns how long reading from files took, with decompression, nanoseconds. */
  public long diskNanos() {
    return diskNanos;
  }

  /** Returns the bytes of data blocks looked at. */
  public long blockBytesLookedAt() {
    return blockBytesLookedAt;
  }

  /** Returns the bytes of cells in memory looked at. */
  public long memoryBytesLookedAt() {
    return memoryBytesLookedAt;
  }
}
