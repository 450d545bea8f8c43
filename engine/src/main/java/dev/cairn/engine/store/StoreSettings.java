package dev.cairn.engine.store;

import dev.cairn.engine.hfile.HFileSettings;

/**
 * Numbers that govern a store, each under HBase's key for it.
 *
 * @param compactionMinFiles how many files a minor compaction merges at least ({@code
 *     hbase.hstore.compaction.min})
 * @param compactionMaxFiles how many files it merges at most ({@code hbase.hstore.compaction.max})
 * @param compactionRatio how large a file may be, relative to the other files of a selection
 *     together ({@code hbase.hstore.compaction.ratio})
 * @param compactionMinBytes files below this size are always worth merging ({@code
 *     hbase.hstore.compaction.min.size})
 * @param compactionMaxBytes files above this size are left to major compactions ({@code
 *     hbase.hstore.compaction.max.size})
 * @param purgeDeletesAfterMillis how long delete markers outlive their timestamp ({@code
 *     hbase.hstore.time.to.purge.deletes})
 * @param files how store files are written
 */
public record StoreSettings(
    int compactionMinFiles,
    int compactionMaxFiles,
    double compactionRatio,
    long compactionMinBytes,
    long compactionMaxBytes,
    long purgeDeletesAfterMillis,
    HFileSettings files) {
  /** HBase's defaults. */
  public static final StoreSettings DEFAULTS =
      new StoreSettings(3, 10, 1.2, 128L << 20, Long.MAX_VALUE, 0);

  /** Creates settings with HBase's defaults for store files. */
  public StoreSettings(
      int compactionMinFiles,
      int compactionMaxFiles,
      double compactionRatio,
      long compactionMinBytes,
      long compactionMaxBytes,
      long purgeDeletesAfterMillis) {
    this(
        compactionMinFiles,
        compactionMaxFiles,
        compactionRatio,
        compactionMinBytes,
        compactionMaxBytes,
        purgeDeletesAfterMillis,
        HFileSettings.DEFAULTS);
  }

  /** Checks that the numbers can work together. */
  public StoreSettings {
    if (compactionMinFiles < 2) {
      throw new IllegalArgumentException(
          "hbase.hstore.compaction.min must be at least 2, not " + compactionMinFiles);
    }
    if (compactionMaxFiles < compactionMinFiles) {
      throw new IllegalArgumentException(
          "hbase.hstore.compaction.max ("
              + compactionMaxFiles
              + ") is less than hbase.hstore.compaction.min ("
              + compactionMinFiles
              + ")");
    }
  }
}
