package dev.cairn.engine.mob;

import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Numbers that govern MOB files, each under HBase's key for it.
 *
 * @param openFilesMax how many MOB files that no scan reads are kept open ({@code
 *     hbase.mob.file.cache.size})
 * @param idleMillis how long such a file is kept open after its last use ({@code
 *     hbase.mob.cache.evict.period})
 * @param optimized whether compactions leave large MOB files as they are ({@code
 *     hbase.mob.compaction.type} {@code optimized})
 * @param largeFileBytes size at which a MOB file is large; then the next one begins ({@code
 *     hbase.mob.compactions.max.file.size})
 * @param discardMissing whether compactions drop cells whose MOB file is gone ({@code
 *     hbase.unsafe.mob.discard.miss})
 * @param zone zone of the days in file names
 */
public record MobSettings(
    int openFilesMax,
    long idleMillis,
    boolean optimized,
    long largeFileBytes,
    boolean discardMissing,
    ZoneId zone) {
  /** HBase's defaults. */
  public static final MobSettings DEFAULTS =
      new MobSettings(1000, 3_600_000, false, 1L << 30, false, ZoneOffset.UTC);
}
