package dev.cairn.server.regionserver;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.explain.Explanation;
import dev.cairn.engine.region.QuickScan;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionScanner;
import dev.cairn.engine.scan.ScanRequest;
import java.io.IOException;
import java.util.Optional;

/** How calls read from one region; the engine's contract of the same methods holds. Thread-safe. */
public interface RegionReads {
  /** Reads one row and appends its cells to {@code out}. */
  void get(ScanRequest request, CellBuffer out) throws IOException;

  /**
   * Reads one row as {@link #get} does, if that takes no waiting, and says whether it did; if not,
   * nothing was appended. Unless said otherwise, nothing is known to be that quick.
   */
  default boolean tryGet(ScanRequest request, CellBuffer out, ReadBudget limits)
      throws IOException {
    return false;
  }

  /**
   * Opens a scan for a thread that must not wait; the caller closes it. Empty if there is nothing
   * to be had without waiting, as far as is known; unless said otherwise, there is not.
   *
   * @throws dev.cairn.engine.cursor.NotInMemoryException if a block is missing to begin
   */
  default Optional<QuickScan> tryScan(ScanRequest request) throws IOException {
    return Optional.empty();
  }

  /** Opens a scan; the caller closes it. */
  RegionScanner scan(ScanRequest request) throws IOException;

  /** Opens an explanation of a scan; the caller closes it. */
  Explanation explain(ScanRequest request, int rowsMax, int cellsMax) throws IOException;
}
