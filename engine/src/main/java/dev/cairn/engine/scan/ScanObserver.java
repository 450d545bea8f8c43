package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import java.io.IOException;

/**
 * Receives the decisions of a scan of one region, and makes none itself. An observed scan looks at
 * every cell: it copies no runs, and skips no rows or columns within a block. All calls come from
 * the reading thread. An observer must not use the scan; if it throws, the scan fails.
 */
public interface ScanObserver {
  /** Collects metrics of each memstore and file; see {@link SourceMetrics}. */
  ScanObserver METRICS = StoreSource::trace;

  /** Ignores the rows of scans without an observer. */
  ScanObserver NONE =
      source -> {
        throw new IllegalStateException("The scan is not observed");
      };

  /**
   * Returns the observer of a family that the scan reads. Called when the scan begins, and when it
   * continues with other sources of the same cells.
   *
   * @param source the family's data; its trace counts each memstore and file separately
   */
  Family family(StoreSource source);

  /**
   * Tells whether the scan keeps its sources to its end. If not, after a flush the scan continues
   * in the new file instead of the memstores.
   */
  default boolean needsSameSources() {
    return false;
  }

  /**
   * A scan begins; called once, before any other method.
   *
   * @param request the request, its rows clipped to the region's
   * @param nowMillis the time that decides which cells are expired, milliseconds since 1970
   */
  default void begins(
      ScanRequest request, CellComparator comparator, long readPoint, long nowMillis) {}

  /**
   * The indexes were searched for the rows of a scan, before {@link #begins}. If the observer
   * {@linkplain #needsSameSources needs the same sources}, the scan reads all rows nevertheless.
   *
   * @param report what the search has found
   */
  default void indexSought(IndexReport report) {}

  /** A row begins; the bytes are valid during the call. */
  default void rowBegins(byte[] row, int length) throws IOException {}

  /** The filter has seen the complete row and kept these cells. */
  default void rowLeft(CellBuffer cells) {}

  /**
   * The row ends.
   *
   * @param fate the outcome of the row. {@link CellOutcome#RETURNED}: its cells keep their own
   *     outcomes. Otherwise, the outcome of all cells that were to be returned, and of all cells
   *     that the scan did not look at
   */
  default void rowEnds(CellOutcome fate) throws IOException {}

  /** The filter has ended the scan. */
  default void filterEnded() {}

  /** The scan has no more rows. May be called again. */
  default void ends() throws IOException {}

  /** Observes one family of the scan. */
  interface Family {
    /**
     * The scan looks at a cell: it is the next one of the family. The cell is the cursor's own
     * flyweight, so that an observer can tell from which cursor it comes.
     */
    void looked(Cell cell) throws IOException;

    /** The scan has decided about the cell that it looked at. */
    default void judged(Cell cell, CellOutcome fate) throws IOException {}

    /** The scan needs no more cells in the column of the last cell that it looked at. */
    default void columnEnds(CellOutcome rest) {}

    /** The scan needs no more cells of the family in this row. */
    default void rowEnds(CellOutcome rest) {}
  }
}
