package dev.cairn.engine.scan;

/**
 * The outcome of a cell in a scan, with its reason. Each cell of a family that is read has exactly
 * one: the first reason that the scan finds, in its order of checks.
 */
public enum CellOutcome {
  /** It was returned. */
  RETURNED,
  /** It is a delete marker, and applies to the cells that it covers. */
  MARKER,
  /** It is a delete marker that this scan does not go by, for its timestamp. */
  MARKER_NOT_COUNTED,
  /** It is past the family's TTL. */
  FAMILY_TTL,
  /** It is past a time to live of its own. */
  CELL_TTL,
  /** A marker of the family hides it. */
  FAMILY_DELETED,
  /** A marker of one version of the family hides it. */
  FAMILY_VERSION_DELETED,
  /** A marker of the column hides it. */
  COLUMN_DELETED,
  /** A marker of one version of the column hides it. */
  VERSION_DELETED,
  /** A newer write of the same version, with the same timestamp, takes its place. */
  OVERWRITTEN,
  /** By order of writing: newer versions pushed it out, and some of those are gone by now. */
  PUSHED_OUT,
  /** As many newer versions as the family keeps, or the request wants, come before it. */
  VERSION_LIMIT,
  /** Its timestamp is outside the time range that is asked for. */
  TIME_RANGE,
  /** Its column is not asked for. */
  COLUMN_NOT_ASKED,
  /** Only references to MOB files are asked for, and it is none. */
  NO_REFERENCE,
  /** The filter dropped it. */
  FILTERED,
  /** The filter was done with the column before it came. */
  FILTERED_COLUMN,
  /** The filter was done with the row before it came. */
  FILTERED_REST_OF_ROW,
  /** It is before the position to which the filter has sent the scan. */
  FILTER_SKIPPED,
  /** The filter said that nothing more can be wanted. */
  FILTER_ENDED,
  /** The filter dropped the row by its key. */
  FILTERED_ROW_KEY,
  /** The filter dropped the row as a whole, once it had seen it. */
  FILTERED_ROW,
  /** The filter took it out of the complete row. */
  FILTERED_FROM_ROW,
  /** It is among the first cells of its row and family, which are passed over as asked for. */
  OFFSET,
  /** The row has given as many cells of the family as are asked for. */
  LIMIT,
  /** Its family is read only for rows that pass the filter, and nothing of this row did. */
  FAMILY_NOT_NEEDED,
  /** The scan did not come to its row. */
  ROW_NOT_READ,
  /** It was written after the scan began, or is not acknowledged yet. */
  TOO_NEW
}
