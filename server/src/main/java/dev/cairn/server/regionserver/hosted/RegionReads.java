package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.server.request.GetMessage;
import dev.cairn.server.request.ScanMessage;
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

  /**
   * Answers a client's get: appends the cells of its row to {@code out}.
   *
   * @param get what the client sent
   * @param request what the engine is asked for it
   */
  default ScanProgress get(GetMessage get, ScanRequest request, CellBuffer out, ReadBudget budget)
      throws IOException {
    return row(request, out, budget);
  }

  /** Opens a read of one row for a client's get; the caller closes it. */
  default RegionRead openGet(GetMessage get, ScanRequest request, ReadBudget budget)
      throws IOException {
    return read(request, budget);
  }

  /**
   * Opens a client's scan; the caller closes it. It is a {@link HookedScan} if hooks see it.
   *
   * @param scan what the client sent
   * @param request what the engine is asked for it
   */
  default RegionRead scan(ScanMessage.Opening scan, ScanRequest request, ReadBudget budget)
      throws IOException {
    return read(request, budget);
  }
}
