package dev.cairn.coprocessor.read;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanStatistics;

/** The read of a thread that must not wait, where hooks do not run: a handler begins anew. */
enum NotHere implements RegionRead {
  /** Has no state. */
  INSTANCE;

  @Override
  public ScanProgress next(CellBuffer out, ReadBudget budget) {
    return ScanProgress.WOULD_WAIT;
  }

  @Override
  public ScanProgress peek(ReadBudget budget) {
    return ScanProgress.WOULD_WAIT;
  }

  @Override
  public boolean hold() {
    return false;
  }

  @Override
  public long readPoint() {
    return 0;
  }

  @Override
  public ScanStatistics statistics() {
    return ScanStatistics.NONE;
  }

  @Override
  public void close() {}
}
