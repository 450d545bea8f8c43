package dev.cairn.engine.store;

import dev.cairn.engine.hfile.format.HFileSettings;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.SchemaSettings;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.tracking.StoreFileTracking;

/**
 * Numbers that govern a store, each under HBase's key for it. A table or a family may say them
 * differently from the server.
 *
 * @param compactionMinFiles how many files a minor compaction merges at least
 * @param compactionMaxFiles how many files it merges at most
 * @param compactionRatio how large a file may be, relative to the other files of a selection
 *     together
 * @param offPeakRatio takes the place of {@code compactionRatio} at off-peak hours
 * @param compactionMinBytes files below this size are always worth merging
 * @param compactionMaxBytes files above this size are left to major compactions
 * @param compactionThrottleBytes compactions that merge more than this are large, and run on
 *     threads of their own
 * @param purgeDeletesAfterMillis how long delete markers outlive their timestamp
 * @param majorPeriodMillis the time after which all files are merged, 0 for never
 * @param majorJitter by which part of that time it may be sooner or later, so that not all stores
 *     are merged at once
 * @param blockingFiles above how many files a flush waits for a compaction
 * @param deletesExpiredFiles whether files whose cells are all past their time to live are deleted
 *     without being read
 * @param nonceMillis how long store files keep the nonces of changes
 * @param files how store files are written
 * @param tracking how stores know which of their files count
 */
public record StoreSettings(
    int compactionMinFiles,
    int compactionMaxFiles,
    double compactionRatio,
    OffPeakRatio offPeakRatio,
    long compactionMinBytes,
    long compactionMaxBytes,
    long compactionThrottleBytes,
    long purgeDeletesAfterMillis,
    long majorPeriodMillis,
    double majorJitter,
    int blockingFiles,
    boolean deletesExpiredFiles,
    long nonceMillis,
    HFileSettings files,
    StoreFileTracking tracking) {
  /** The key of {@link #compactionMinFiles}. */
  public static final String MIN_FILES_KEY = "hbase.hstore.compaction.min";

  /** The former name of that key; it is used if the new one is not set. */
  public static final String OLD_MIN_FILES_KEY = "hbase.hstore.compactionThreshold";

  /** The key of {@link #compactionMaxFiles}. */
  public static final String MAX_FILES_KEY = "hbase.hstore.compaction.max";

  /** The key of {@link #compactionRatio}. */
  public static final String RATIO_KEY = "hbase.hstore.compaction.ratio";

  /** The key of {@link #compactionMinBytes}. */
  public static final String MIN_BYTES_KEY = "hbase.hstore.compaction.min.size";

  /** The key of {@link #compactionMaxBytes}. */
  public static final String MAX_BYTES_KEY = "hbase.hstore.compaction.max.size";

  /** The key of {@link #compactionThrottleBytes}. */
  public static final String THROTTLE_KEY = "hbase.regionserver.thread.compaction.throttle";

  /** HBase's default of {@link #compactionThrottleBytes}: twenty full memstores. */
  public static final long THROTTLE_BYTES = 2_684_354_560L;

  /** The key of {@link #purgeDeletesAfterMillis}. */
  public static final String PURGE_DELETES_KEY = "hbase.hstore.time.to.purge.deletes";

  /** The key of {@link #majorPeriodMillis}. */
  public static final String MAJOR_PERIOD_KEY = "hbase.hregion.majorcompaction";

  /** The key of {@link #majorJitter}. */
  public static final String MAJOR_JITTER_KEY = "hbase.hregion.majorcompaction.jitter";

  /** The key of {@link #blockingFiles}. */
  public static final String BLOCKING_FILES_KEY = "hbase.hstore.blockingStoreFiles";

  /** The key of {@link #deletesExpiredFiles}. */
  public static final String DELETE_EXPIRED_KEY = "hbase.store.delete.expired.storefile";

  /** The least that {@link #compactionMinFiles} can be; lower values mean it. */
  public static final int MIN_FILES_LEAST = 2;

  /** HBase's default of {@link #nonceMillis}. */
  public static final long NONCE_MILLIS = 1_800_000;

  private static final long WEEK_MILLIS = 604_800_000;

  /** HBase's defaults. */
  public static final StoreSettings DEFAULTS =
      new StoreSettings(3, 10, 1.2, 128L << 20, Long.MAX_VALUE, 0);

  /** Creates settings with HBase's defaults for all else. */
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
        OffPeakRatio.DEFAULT,
        compactionMinBytes,
        compactionMaxBytes,
        THROTTLE_BYTES,
        purgeDeletesAfterMillis,
        WEEK_MILLIS,
        0.5,
        16,
        true,
        NONCE_MILLIS,
        HFileSettings.DEFAULTS,
        StoreFileTracking.DEFAULT);
  }

  /** Checks that the numbers can work. */
  public StoreSettings {
    if (compactionMinFiles < MIN_FILES_LEAST) {
      throw new IllegalArgumentException(
          MIN_FILES_KEY + " must be at least " + MIN_FILES_LEAST + ", not " + compactionMinFiles);
    }
  }

  /**
   * Returns these settings with those of the table and the family.
   *
   * @throws IllegalArgumentException naming the key whose value is impossible
   */
  public StoreSettings forFamily(TableSchema table, FamilySchema family) {
    SchemaSettings own = SchemaSettings.of(table, family);
    long minFiles =
        own.number(
            own.find(MIN_FILES_KEY).isPresent() ? MIN_FILES_KEY : OLD_MIN_FILES_KEY,
            compactionMinFiles,
            Integer.MIN_VALUE,
            Integer.MAX_VALUE);
    return new StoreSettings(
        (int) Math.max(MIN_FILES_LEAST, minFiles),
        (int) own.number(MAX_FILES_KEY, compactionMaxFiles, 1, Integer.MAX_VALUE),
        own.fraction(RATIO_KEY, compactionRatio, 0, Float.MAX_VALUE),
        offPeakRatio.with(own.fraction(OffPeakRatio.KEY, offPeakRatio.ratio(), 0, Float.MAX_VALUE)),
        own.number(MIN_BYTES_KEY, compactionMinBytes, 0, Long.MAX_VALUE),
        own.number(MAX_BYTES_KEY, compactionMaxBytes, 0, Long.MAX_VALUE),
        own.number(THROTTLE_KEY, compactionThrottleBytes, 0, Long.MAX_VALUE),
        own.number(PURGE_DELETES_KEY, purgeDeletesAfterMillis, Long.MIN_VALUE, Long.MAX_VALUE),
        own.number(MAJOR_PERIOD_KEY, majorPeriodMillis, Long.MIN_VALUE, Long.MAX_VALUE),
        own.fraction(MAJOR_JITTER_KEY, majorJitter, 0, 1),
        (int) own.number(BLOCKING_FILES_KEY, blockingFiles, 1, Integer.MAX_VALUE),
        own.flag(DELETE_EXPIRED_KEY, deletesExpiredFiles),
        nonceMillis,
        files,
        StoreFileTracking.of(table, family, tracking));
  }
}
