package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;

/**
 * Watches a scan of one region while it decides. What it is told is what the scan does: nothing is
 * decided twice. All calls come from the thread that reads; a witness must not touch the scan.
 */
public interface ScanObserver {
  /** A row begins; the bytes are valid during the call. */
  void rowBegins(byte[] row, int length);

  /**
   * The row ends.
   *
   * @param fate what became of it as a whole: {@link CellOutcome#RETURNED} if its cells' own fates
   *     hold, else what became of every cell that was to be returned and of all not looked at
   */
  void rowEnds(CellOutcome fate);

  /** The filter has looked at the complete row and left these of its cells. */
  void rowLeft(CellBuffer cells);

  /** The filter has said that nothing more can be wanted. */
  void filterEnded();

  /** Watches one family of the scan. */
  interface Family {
    /**
     * The scan looks at a cell: it is the next one of the family. The cell is the cursor's own
     * flyweight, so that a witness can tell from which cursor it comes.
     */
    void looked(Cell cell);

    /** The scan decides about a cell at which it looks. */
    void judged(Cell cell, CellOutcome fate);

    /** Nothing more is wanted of the column of the cell that was looked at last. */
    void columnEnds(CellOutcome rest);

    /** Nothing more is wanted of the family in this row. */
    void rowEnds(CellOutcome rest);
  }

  /** A witness that does not care. */
  ScanObserver NONE =
      new ScanObserver() {
        @Override
        public void rowBegins(byte[] row, int length) {}

        @Override
        public void rowEnds(CellOutcome fate) {}

        @Override
        public void rowLeft(CellBuffer cells) {}

        @Override
        public void filterEnded() {}
      };
}
