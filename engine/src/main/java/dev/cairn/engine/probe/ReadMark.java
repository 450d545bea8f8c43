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
  /** A run reached its limit of cells. */
  RUN_FULL_OF_CELLS,
  /** A run reached the call's limit of bytes. */
  RUN_FULL_OF_BYTES,
  /** A run reached the call's limit of rows. */
  RUN_FULL_OF_ROWS,
  /** A run ended at the first column of which another source has a cell. */
  RUN_TO_OTHER_SOURCE,
  /** A merge copied the newest cell of a column and skipped the column in all sources. */
  RUN_COLUMN_OF_MERGE,
  /** A read skipped cells after a run, because they were too new for it. */
  RUN_BEFORE_HIDDEN,

  // Runs in blocks of files.

  /** A block with a row index copied whole rows. */
  BLOCK_ROWS,
  /** A block copied whole rows up to the row at which the run ends. */
  BLOCK_ROWS_TO_END,
  /** A limit cut a block's rows. */
  BLOCK_ROWS_CUT,
  /** A block with a row index copied a part of a row. */
  BLOCK_PART_OF_ROW,
  /** A block without a row index checked each cell and copied it. */
  BLOCK_JUDGED,
  /** A run ended at the last cell of a block. */
  BLOCK_END,
  /** A run in one half of a file ended at the split key. */
  HALF_FILE_BORDER,
  /** A run copied cells of a bulk-loaded file. */
  BULK_LOADED_RUN,
  /** A bulk-loaded file refused a run, because its cells may be too new for the read. */
  BULK_LOADED_REFUSED,

  // Runs in memory.

  /** A run in a segment ended a row. */
  SEGMENT_ROW,
  /** A run in a segment skipped the older versions of a column. */
  SEGMENT_VERSIONS,
  /** A run in a segment ended at its last cell. */
  SEGMENT_END,

  // Skips and seeks.

  /** A scan skipped the rest of a row whose end the block knew. */
  ROW_SKIPPED,
  /** A scan skipped the rest of a long row by a seek. */
  ROW_SOUGHT,
  /** A scan skipped columns by a seek. */
  COLUMN_SOUGHT,
  /** A forward seek searched only the rest of the current block. */
  SEEK_IN_BLOCK,
  /** A forward seek moved one source of a merge, which stayed the first. */
  SEEK_KEEPS_SOURCE,
  /** A search in memory began at the remembered place of its row. */
  SEEK_HINT,
  /** A read of single columns began after the start of its row. */
  COLUMN_START,
  /** A read skipped a file because of its rows, its times or its Bloom filter. */
  FILE_RULED_OUT,

  // Reads.

  /** The objects of a read were kept for the next one. */
  OBJECTS_KEPT,
  /** A read that must not block needed a file, and gave up. */
  FREE_READ_GIVES_UP,
  /** A read without pinned views began again in pinned ones. */
  FREE_READ_STARTS_OVER,
  /** A read that began without pinned views was held for its next call. */
  READ_HELD_LATER,
  /** A scan continued in the file of a flush, from its place in memory. */
  READ_MOVES_TO_FILE,
  /** A scan continued in the file of a flush within a row. */
  READ_MOVES_IN_ROW
}
