package dev.cairn.engine.wal;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.schema.TableName;
import java.util.Objects;

/**
 * One atomic change of one region, as the log holds it.
 *
 * @param region the region's encoded name, 32 hexadecimal digits
 * @param table the region's table
 * @param sequence the region's sequence number of the change; ascending within a region
 * @param writeTimeMillis when it was written, milliseconds since 1970
 * @param cells the cells, with final timestamps; all share {@code sequence}. Markers have the
 *     family {@code METAFAMILY}
 */
public record WalEntry(
    String region, TableName table, long sequence, long writeTimeMillis, CellBuffer cells) {
  /** Checks that nothing is missing. */
  public WalEntry {
    Objects.requireNonNull(region, "region");
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(cells, "cells");
  }
}
