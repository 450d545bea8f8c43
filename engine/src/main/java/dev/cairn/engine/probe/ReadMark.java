package dev.cairn.engine.probe;

/**
 * The branches of the engine's reads that exist for speed. CONTRIBUTING.md explains marks; {@code
 * ScanSwarmTest} has to reach all of these.
 */
public enum ReadMark {
  // Runs: cells that are copied without a decision about each.

  /** A run copied cells. */
  RUN,
  /** A run was allowed, but the first cell was not plain. */
  RUN_REFUSED,
  /** A run read a row to its end. */
  RUN_ENDS_ROW,
  /** A run read the ends of several rows. */
  RUN_CROSSES_ROWS,
  /** A run crossed rows and ended within one. */
  RUN_LEAVES_ROW_OPEN,
  /** A run ended because it had as many cells as it may have. */
  RUN_FULL_OF_CELLS,
  /** A run ended because it had as many bytes as the call may return. */
  RUN_FULL_OF_BYTES,
  /** A run ended because it had as many rows as the call may return. */
  RUN_FULL_OF_ROWS,
  /** A run ended at the first column of which another source has a cell. */
  RUN_TO_OTHER_SOURCE,
  /** A merge copied the newest cell of a column and skipped the column in all sources. */
  RUN_COLUMN_OF_MERGE,
  /** Cells that are too new for the read followed a run, and were skipped. */
  RUN_BEFORE_HIDDEN,

  // Runs in blocks of files.

  /** A block with a row index copied whole rows. */
  BLOCK_ROWS,
  /** A block copied whole rows up to the row at which the run ends. */
  BLOCK_ROWS_TO_END,
  /** A block's rows were cut by a limit. */
  BLOCK_ROWS_CUT,
  /** A block with a row index copied a part of a row. */
  BLOCK_PART_OF_ROW,
  /** A block without a row index copied cells, each after a look at it. */
  BLOCK_JUDGED,
  /** A run ended at the last cell of a block. */
  BLOCK_END,
  /** A run in one half of a file ended at the split key. */
  HALF_FILE_BORDER,
  /** A run copied cells of a bulk-loaded file. */
  BULK_LOADED_RUN,

  // Runs in memory.

  /** A run in a segment ended a row. */
  SEGMENT_ROW,
  /** A run in a segment skipped the older versions of a column. */
  SEGMENT_VERSIONS,
  /** A run in a segment ended at its last cell. */
  SEGMENT_END,

  // Skips and seeks.

  /** A scan left a row whose end the block knew. */
  ROW_SKIPPED,
  /** A scan left a long row by a seek. */
  ROW_SOUGHT,
  /** A scan left columns by a seek. */
  COLUMN_SOUGHT,
  /** A seek forwards searched the rest of the current block only. */
  SEEK_IN_BLOCK,
  /** A seek forwards moved one source of a merge, which stayed the first. */
  SEEK_KEEPS_SOURCE,
  /** A search in memory began at the remembered place of its row. */
  SEEK_HINT,
  /** A read of single columns began behind the start of its row. */
  COLUMN_START,
  /** A read left out a file, for its rows, its times or its Bloom filter. */
  FILE_RULED_OUT,

  // Reads.

  /** The objects of a read were kept for the next one. */
  OBJECTS_KEPT,
  /** A read that must not wait needed a file, and gave up. */
  FREE_READ_GIVES_UP,
  /** A read without pinned views began again in pinned ones. */
  FREE_READ_STARTS_OVER,
  /** A read that began without pinned views was held for its next call. */
  READ_HELD_LATER,
  /** A scan went on in the file of a flush, from where it was in memory. */
  READ_MOVES_TO_FILE,
  /** A scan went on in the file of a flush within a row. */
  READ_MOVES_IN_ROW
}
