package dev.cairn.engine.region;

import dev.cairn.engine.schema.TableSchema;

/**
 * Numbers that govern a region, each under HBase's key for it.
 *
 * @param memStoreFlushBytes at which size a region is flushed ({@code
 *     hbase.hregion.memstore.flush.size})
 * @param memStoreBlockMultiplier at how many times that size it refuses writes until it is flushed
 *     ({@code hbase.hregion.memstore.block.multiplier})
 * @param rowLockWaitMillis how long a write waits for a row ({@code hbase.rowlock.wait.duration})
 * @param maxCellBytes the largest cell that may be written, 0 for any up to 256 MB ({@code
 *     hbase.server.keyvalue.maxsize})
 */
public record RegionSettings(
    long memStoreFlushBytes,
    int memStoreBlockMultiplier,
    long rowLockWaitMillis,
    long maxCellBytes) {
  /** HBase's defaults. */
  public static final RegionSettings DEFAULTS =
      new RegionSettings(128L << 20, 4, 30_000, 10L << 20);

  /** Returns these settings with what the table says differently. */
  RegionSettings of(TableSchema schema) {
    return new RegionSettings(
        schema.memStoreFlushBytes().orElse(memStoreFlushBytes),
        memStoreBlockMultiplier,
        rowLockWaitMillis,
        schema.maxCellBytes().orElse(maxCellBytes));
  }

  /** Returns the memstore size at which writes are refused. */
  public long memStoreBlockingBytes() {
    return memStoreFlushBytes * memStoreBlockMultiplier;
  }
}
