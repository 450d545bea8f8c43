package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.condition.RowCondition;
import java.io.IOException;
import java.util.Optional;

/**
 * Decides, cell by cell and row by row, what a scan returns. It sees only cells that versions,
 * markers, TTL, time range and column selection let through. Stateful: one scan, one thread.
 *
 * <p>Per row: {@link #reset}, {@link #filterRowKey}, then {@link #filterCell} for each cell in
 * order, then, once the row is complete, {@link #filterRowCells} and {@link #filterRow}. {@link
 * #filterAllRemaining} is asked before each row and after each cell.
 */
public interface ScanFilter {
  /** The decision about a cell, and the point from which the scan goes on. */
  enum Decision {
    /** Take the cell, go on with the next one. */
    INCLUDE,
    /** Take the cell, go on with the next column. */
    INCLUDE_AND_NEXT_COLUMN,
    /** Take the cell, go on with the next row. */
    INCLUDE_AND_NEXT_ROW,
    /** Drop the cell, go on with the next one. */
    SKIP,
    /** Drop the cell, go on with the next column. */
    NEXT_COLUMN,
    /** Drop the cell and continue with the next row; cells already taken of this row stay. */
    NEXT_ROW,
    /** Drop the cell and continue at {@link #hint}. */
    SEEK_TO_HINT
  }

  /** A row begins. */
  void reset() throws IOException;

  /** Tells whether nothing that follows can be wanted, so that the scan may end. */
  boolean filterAllRemaining() throws IOException;

  /**
   * Tells whether to drop the whole row of {@code first}.
   *
   * @param first the row's first cell. It may be one that the scan does not see, and that a flush
   *     or a compaction drops; so only its row may decide
   */
  boolean filterRowKey(Cell first) throws IOException;

  /**
   * Tells whether {@link #filterCell} must see the cells of rows that {@link #filterRowKey} drops,
   * because they matter to later rows. Such a row costs as much as one that is returned.
   */
  default boolean seesDroppedRows() {
    return false;
  }

  /** Decides about one cell. */
  Decision filterCell(Cell cell) throws IOException;

  /** Returns the result for a cell that was taken; often the cell itself. */
  Cell transform(Cell cell) throws IOException;

  /** Returns where to go on after {@link Decision#SEEK_TO_HINT}; empty for the next cell. */
  Optional<Cell> hint(Cell cell) throws IOException;

  /**
   * Tells whether {@link #filterCell} or {@link #transform} may look at a cell's value. If not,
   * they may be shown a cell whose value has still to be fetched, and is fetched only if the cell
   * is taken.
   */
  default boolean readsValues() {
    return true;
  }

  /**
   * Tells whether rows can be judged only when complete, so that a row must not be returned in
   * parts.
   */
  boolean needsWholeRow();

  /** Looks at the cells taken of a complete row and may remove or change some. */
  CellBuffer filterRowCells(CellBuffer row) throws IOException;

  /** Tells whether to drop the complete row. */
  boolean filterRow() throws IOException;

  /** Tells whether the filter needs the family's cells to decide about a row. */
  boolean isFamilyEssential(byte[] family) throws IOException;

  /**
   * Returns a condition that a row fulfils if the filter lets one of its cells pass, in a scan of
   * {@code request}. A condition is about the stored puts of a row, as {@link RowCondition} says:
   * each row of the result has them, but a row that has them need not be in the result. The values
   * are those that the filter is shown.
   *
   * <p>The state of the filter does not matter, and does not change.
   *
   * @param request the scan; its families, columns and time ranges select the cells that the filter
   *     is shown
   */
  default RowCondition rowCondition(ScanRequest request) {
    return RowCondition.ANY;
  }

  /**
   * Tells whether a scan may hide rows from the filter that do not fulfil {@link #rowCondition}. If
   * so, the filter's answers about all other rows stay the same. The scan may then show the filter
   * rows that it would otherwise have passed over; the filter drops them, and does not fail.
   *
   * <p>Only answers count, not failures: a scan does not fail because of a row that it does not
   * read.
   */
  default boolean mayMissRows() {
    return false;
  }
}
