package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import java.io.IOException;

/**
 * Observes a scan of one region while it decides. It receives what the scan does: nothing is
 * decided twice. An observed scan looks at each cell on its way: it copies no runs and skips no
 * rows and columns within a block. All calls come from the thread that reads. An observer must not
 * use the scan; if it throws, the scan fails.
 */
public interface ScanObserver {
  /** Counts what is looked at of each memstore and file, see {@link SourceMetrics}. */
  ScanObserver METRICS = StoreSource::trace;

  /** Observes the rows of scans that have no observer. */
  ScanObserver NONE =
      source -> {
        throw new IllegalStateException("The scan is not observed");
      };

  /**
   * Returns the observer of a family that the scan reads. Called when the scan begins, and when it
   * continues with other sources of the same cells.
   *
   * @param source what the scan reads; the scan keeps its trace apart by memstore and file
   */
  Family family(StoreSource source);

  /**
   * Tells whether the scan keeps its sources to its end. If not, it continues in the file that a
   * flush has written, in place of memstores.
   */
  default boolean needsSameSources() {
    return false;
  }

  /**
   * A scan begins; called once, before any other method.
   *
   * @param request what is wanted, its rows clipped to the region's
   * @param nowMillis the time that decides which cells are expired, milliseconds since 1970
   */
  default void begins(
      ScanRequest request, CellComparator comparator, long readPoint, long nowMillis) {}

  /** A row begins; the bytes are valid during the call. */
  default void rowBegins(byte[] row, int length) throws IOException {}

  /** The filter has looked at the complete row and left these of its cells. */
  default void rowLeft(CellBuffer cells) {}

  /**
   * The row ends.
   *
   * @param fate what became of it as a whole: {@link CellOutcome#RETURNED} if its cells' own fates
   *     hold, else what became of every cell that was to be returned and of all not looked at
   */
  default void rowEnds(CellOutcome fate) throws IOException {}

  /** The filter has said that nothing more can be wanted. */
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

    /** The scan decides about a cell at which it looks. */
    default void judged(Cell cell, CellOutcome fate) throws IOException {}

    /** Nothing more is wanted of the column of the cell that was looked at last. */
    default void columnEnds(CellOutcome rest) {}

    /** Nothing more is wanted of the family in this row. */
    default void rowEnds(CellOutcome rest) {}
  }
}
