package dev.cairn.engine.region.state;

import dev.cairn.engine.constraint.ColumnRules;
import dev.cairn.engine.schema.CellSizeLimit;
import dev.cairn.engine.schema.SchemaSettings;
import dev.cairn.engine.schema.TableSchema;

/**
 * Numbers that govern a region, each under HBase's key for it, and the rules of its columns.
 *
 * @param memStoreFlushBytes at which size a region is flushed ({@code
 *     hbase.hregion.memstore.flush.size})
 * @param memStoreBlockMultiplier at how many times that size it refuses writes until it is flushed
 *     ({@code hbase.hregion.memstore.block.multiplier})
 * @param rowLockWaitMillis how long a write waits for a row ({@code hbase.rowlock.wait.duration})
 * @param cellSize the largest cell that may be written, at most 256 MB in any case ({@code
 *     hbase.server.keyvalue.maxsize})
 * @param aheadMillisMax how far ahead of the clock the timestamp of a put may be ({@link
 *     #ANY_TIMESTAMP} for no limit; {@code hbase.hregion.keyvalue.timestamp.slop.millisecs})
 * @param flushes which families are flushed, and when
 * @param constraints the rules for the values of columns
 */
public record RegionSettings(
    long memStoreFlushBytes,
    int memStoreBlockMultiplier,
    long rowLockWaitMillis,
    CellSizeLimit cellSize,
    long aheadMillisMax,
    FlushSettings flushes,
    ColumnRules constraints) {
  /** The key of the multiplier, in {@code hbase-site.xml} or of a table. */
  public static final String BLOCK_MULTIPLIER_KEY = "hbase.hregion.memstore.block.multiplier";

  /** The key of the time that a write waits for a row. */
  public static final String ROW_LOCK_WAIT_KEY = "hbase.rowlock.wait.duration";

  /** The key of the time that a put may be ahead. */
  public static final String AHEAD_KEY = "hbase.hregion.keyvalue.timestamp.slop.millisecs";

  /** Stands for no limit of timestamps. */
  public static final long ANY_TIMESTAMP = Long.MAX_VALUE;

  /** HBase's defaults. */
  public static final RegionSettings DEFAULTS =
      new RegionSettings(128L << 20, 4, 30_000, 10L << 20);

  /** Creates settings without constraints, which only tables have. */
  public RegionSettings(
      long memStoreFlushBytes,
      int memStoreBlockMultiplier,
      long rowLockWaitMillis,
      CellSizeLimit cellSize,
      long aheadMillisMax,
      FlushSettings flushes) {
    this(
        memStoreFlushBytes,
        memStoreBlockMultiplier,
        rowLockWaitMillis,
        cellSize,
        aheadMillisMax,
        flushes,
        ColumnRules.NONE);
  }

  /**
   * Creates settings with HBase's defaults for flushes.
   *
   * @param maxCellBytes the largest cell that may be written; 0 for any up to 256 MB
   */
  public RegionSettings(
      long memStoreFlushBytes,
      int memStoreBlockMultiplier,
      long rowLockWaitMillis,
      long maxCellBytes) {
    this(
        memStoreFlushBytes,
        memStoreBlockMultiplier,
        rowLockWaitMillis,
        CellSizeLimit.of(maxCellBytes),
        ANY_TIMESTAMP,
        FlushSettings.DEFAULTS);
  }

  /**
   * Returns these settings with the table's own values.
   *
   * @throws IllegalArgumentException naming the table's key whose value is impossible
   */
  public RegionSettings forTable(TableSchema schema) {
    SchemaSettings own = SchemaSettings.of(schema);
    return new RegionSettings(
        schema.memStoreFlushBytes().orElse(memStoreFlushBytes),
        (int) own.number(BLOCK_MULTIPLIER_KEY, memStoreBlockMultiplier, 1, 1000),
        own.number(ROW_LOCK_WAIT_KEY, rowLockWaitMillis, 1, Integer.MAX_VALUE),
        cellSize.forTable(schema),
        own.number(AHEAD_KEY, aheadMillisMax, 0, ANY_TIMESTAMP),
        flushes.forTable(schema),
        schema.constraints());
  }

  /** Returns the memstore size at which writes are refused. */
  public long memStoreBlockingBytes() {
    return memStoreFlushBytes * memStoreBlockMultiplier;
  }
}
