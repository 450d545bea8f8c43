package dev.cairn.engine.region.write;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.region.read.RegionReader;
import dev.cairn.engine.region.write.WriteRequest.Condition;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads cells for one write, within its budget and memory. One thread. */
public final class WriteReads {
  private static final OptionalLong NOTHING_FOUND = OptionalLong.of(0);

  private final RegionReader reader;
  private final Clock clock;
  private final WriteBudget budget;
  private final WriteMemory memory;
  private boolean begun;
  private long deadlineNanos;
  private long bytesLeft;

  public WriteReads(RegionReader reader, Clock clock, WriteBudget budget, WriteMemory memory) {
    this.reader = reader;
    this.clock = clock;
    this.budget = budget;
    this.memory = memory;
    this.bytesLeft = budget.readBytes();
  }

  /**
   * Returns the newest timestamp that conditions come upon, 0 if they find no cell; empty if one
   * does not hold. The conditions' rows are locked.
   */
  public OptionalLong newestIfAllHold(List<Condition> conditions) throws IOException {
    if (conditions.isEmpty()) {
      return NOTHING_FOUND;
    }
    long newest = 0;
    for (Condition condition : conditions) {
      CellBuffer found = read(condition.read().toBuilder().readUncommitted(true).build());
      Optional<Cell> first = found.isEmpty() ? Optional.empty() : Optional.of(found.get(0));
      if (!condition.test().holds(first)) {
        return OptionalLong.empty();
      }
      newest = Math.max(newest, first.map(Cell::timestamp).orElse(0L));
    }
    return OptionalLong.of(newest);
  }

  /**
   * Returns the requested cells.
   *
   * @throws MemoryShortageException if there is no memory for them
   * @throws WouldWaitException if the write must not wait, and the read would have to or takes too
   *     long
   */
  public CellBuffer read(ScanRequest request) throws IOException {
    if (budget.mayWait()) {
      CellBuffer found = memory.buffer();
      reader.readRow(request, found, ReadBudget.WHOLE_ROWS);
      return found;
    }
    long now = clock.nanoTime();
    if (!begun) {
      begun = true;
      deadlineNanos = now + budget.readNanos();
    }
    CellBuffer found = new CellBuffer();
    // A read that finds no cell does not check the time.
    if (now - deadlineNanos >= 0
        || reader.readRow(request, found, ReadBudget.rowAtOnce(bytesLeft, deadlineNanos))
            == ScanProgress.WOULD_WAIT) {
      throw WouldWaitException.INSTANCE;
    }
    bytesLeft -= ReadBudget.size(found.size(), found.byteSize());
    return found;
  }
}
