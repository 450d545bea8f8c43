package dev.cairn.engine.probe;

/** Ways of a scan whose filter tells a condition. */
public enum IndexMark {
  /** The scan visited the rows that an index has found. */
  TAKEN,
  /** The scan visited all rows, because no index served or too many rows match. */
  NOT_TAKEN,
  /** An index found no row, so the scan read nothing. */
  EMPTY,
  /** A row that an index has found was gone. */
  ROW_GONE
}
