package dev.cairn.engine.event;

/**
 * Receives the events of the engine. Called by the thread that causes them, so it must be quick,
 * must not throw, and must be thread-safe. Regions are named by their encoded names, sizes are
 * bytes, durations nanoseconds.
 */
public interface EngineListener {
  /** Listens to nothing. */
  EngineListener NONE = new EngineListener() {};

  /** A region was opened, after {@code replayedEntries} log entries had been applied again. */
  default void regionOpened(String region, int storeFiles, long replayedEntries, long nanos) {}

  /** A region was closed. */
  default void regionClosed(String region) {}

  /** Writing a region's memstores to files begins. */
  default void flushBegun(String region, long memStoreBytes) {}

  /** A flush ended and its files are part of the region. */
  default void flushEnded(String region, int files, long fileBytes, long nanos) {}

  /** A flush failed; its cells stay in memory and in the log. */
  default void flushFailed(String region, Throwable cause) {}

  /** Merging store files of a family begins. */
  default void compactionBegun(
      String region, String family, int files, long bytes, boolean major) {}

  /** A compaction ended and its file has taken the place of those it was made of. */
  default void compactionEnded(
      String region,
      String family,
      int files,
      boolean major,
      long bytesIn,
      long bytesOut,
      long nanos) {}

  /** Store files of a family go without being read: all in them is past its time to live. */
  default void expiredFilesDropped(String region, String family, int files, long bytes) {}

  /** A compaction ended early because its region closes; the files are as before. */
  default void compactionStopped(String region, String family) {}

  /** A compaction failed; the files are as before. */
  default void compactionFailed(String region, String family, Throwable cause) {}

  /**
   * A read found damage in a store file; the read fails. Told for each such read.
   *
   * @param region the region whose data is read; for a MOB file, the region that its path names
   * @param path the damaged file, in its storage
   * @param offset where the damage begins, bytes from the start of the file
   * @param what the expected and the found content
   */
  default void storeFileDamaged(String region, String path, long offset, String what) {}

  /**
   * A read needs a block of a store file that no live machine has; the read fails. Called for each
   * such read.
   *
   * @param region the region whose data is read
   * @param path the file, in its storage
   * @param reason names the file and the block
   */
  default void storeFileLost(String region, String path, String reason) {}
}
