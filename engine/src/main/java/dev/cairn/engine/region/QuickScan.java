package dev.cairn.engine.region;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cursor.NotInMemoryException;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionScanner;
import dev.cairn.engine.scan.ScanProgress;
import java.io.IOException;

/**
 * A scan for a thread that must not wait: it reads what is in memory, takes no lock that is waited
 * for, and keeps no file open. The region does not close as long as it lasts, so its thread ends
 * it, by {@link #close} or {@link #keep}, before it does anything else.
 */
public interface QuickScan extends RegionScanner {
  /**
   * As in any scan, as long as all is in memory.
   *
   * @throws NotInMemoryException if a block would have to be read from a file; nothing can be done
   *     with the scan then but to close it, and what was appended in this call is to be removed
   */
  @Override
  ScanProgress next(CellBuffer out, ReadBudget limits) throws IOException;

  /**
   * Makes an ordinary scan of this, which stands where it stood: it may wait, be left alone and
   * taken up by other threads.
   *
   * @return false if files that it needs are no longer there; it is to be closed then
   */
  boolean keep();
}
