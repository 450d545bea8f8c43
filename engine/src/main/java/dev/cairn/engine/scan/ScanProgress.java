package dev.cairn.engine.scan;

/** The state of a scan after one call of {@link RegionRead#next}. */
public enum ScanProgress {
  /** A row was returned to its end; this call returned no cell of it if the rest was hidden. */
  ROW_DONE,
  /** The batch is full and the row continues. */
  BATCH_FULL,
  /** Bytes ran out and the row continues; the returned cells are a part of it. */
  LIMIT_IN_ROW,
  /** Time ran out within a row; the returned cells are a part of it, or already all of it. */
  TIME_IN_ROW,
  /** Time ran out before a row was complete or found; nothing was returned. */
  LIMIT_BETWEEN_ROWS,
  /**
   * The call would have to wait, but must not. It returned nothing. A caller that may wait begins a
   * new read.
   */
  WOULD_WAIT,
  /** There are no more rows; nothing was returned. */
  END
}
