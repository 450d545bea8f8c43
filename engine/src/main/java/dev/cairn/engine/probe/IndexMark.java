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
  ROW_GONE,
  /** A scan paused after a row without cells. */
  PAUSED_AT_GONE_ROW,
  /** The index of a file was not searched: no value is in its range. */
  OUTSIDE_VALUES,
  /** The index of a file was not searched: its Bloom filter excludes the values. */
  NOT_IN_BLOOM_FILTER,
  /** The index of a file or segment was not searched: a time range leaves it out. */
  OUTSIDE_TIMES,
  /** A scan that must not wait was answered without a row. */
  SKIPPED_AT_ONCE,
  /** A list of conditions had one that excludes all rows, and the others were not searched. */
  ONE_EXCLUDES_ALL
}
