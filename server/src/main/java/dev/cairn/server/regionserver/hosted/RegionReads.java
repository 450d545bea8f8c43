package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import java.io.IOException;

/**
 * The reads of calls from one region; the contract is that of the engine's methods. Thread-safe.
 */
public interface RegionReads {
  /** Opens a read; the caller closes it. */
  RegionRead read(ScanRequest request, ReadBudget budget) throws IOException;

  /** Appends the cells of one row to {@code out}. */
  default ScanProgress row(ScanRequest request, CellBuffer out, ReadBudget budget)
      throws IOException {
    try (RegionRead read = read(request, budget)) {
      return read.next(out, budget);
    }
  }
}
