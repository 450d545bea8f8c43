package dev.cairn.server.regionserver;

import java.util.function.UnaryOperator;

/** Asks the master to split regions at rows that the caller names. Thread-safe. */
interface SplitRequests {
  /**
   * Asks for a split at a row, or before the prefix of that row that the table keeps together.
   *
   * @param reason a clause for the log
   * @return whether the master is asked; false if the region cannot be split there or now, or the
   *     master has not answered an earlier request
   */
  boolean request(HostedRegion region, byte[] row, String reason);

  /**
   * Returns what replaces a row by the row at which the table allows to split: the same row, or the
   * prefix that the table keeps together.
   *
   * @throws IllegalArgumentException if the table's settings are impossible
   */
  UnaryOperator<byte[]> allowedRows(HostedRegion region);
}
