package dev.cairn.server.regionserver.maintenance;

import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.split.SplitPolicy;
import java.util.function.UnaryOperator;

/** Requests splits at given rows from the master. Thread-safe. */
public interface SplitRequests {
  /**
   * Requests a split at a row, or at the start of the row's prefix if the table keeps that
   * together.
   *
   * @param reason a clause for the log
   * @return whether the master is asked; false if the region cannot be split there or now, or the
   *     master has not answered an earlier request
   */
  boolean request(HostedRegion region, byte[] row, String reason);

  /**
   * Returns a function from a row to the row at which the table allows a split: the same row, or
   * the prefix that the table keeps together.
   *
   * @throws IllegalArgumentException if the table's settings are invalid
   */
  UnaryOperator<byte[]> allowedRows(TableSchema schema, SplitPolicy policy);
}
