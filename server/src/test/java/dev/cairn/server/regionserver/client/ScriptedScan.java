package dev.cairn.server.regionserver.client;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.RegionRead.ReadStoppedException;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanStatistics;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * A scan that returns what it was told to, step by step; behind the last step it fails, would wait
 * or ends.
 */
public class ScriptedScan implements RegionRead {
  private record Step(ScanProgress progress, String row, int cells) {}

  private final Deque<Step> steps = new ArrayDeque<>();
  private int qualifiers;
  private long rows;
  private String lastRow = "";
  Optional<IOException> failure = Optional.empty();
  boolean closed;

  /** True if the next block after the last step is not in memory. */
  boolean missesBlock;

  int suspensions;
  boolean stopped;

  /** Runs before each step. */
  Runnable beforeStep = () -> {};

  ReadBudget lastLimits = ReadBudget.WHOLE_ROWS;

  @Override
  public void suspend() {
    suspensions++;
  }

  @Override
  public void stop() {
    stopped = true;
  }

  /** A row ends after so many cells of it. */
  public final ScriptedScan row(String row, int cells) {
    return step(ScanProgress.ROW_DONE, row, cells);
  }

  /** Time runs out within a row. */
  final ScriptedScan part(String row, int cells) {
    return step(ScanProgress.TIME_IN_ROW, row, cells);
  }

  /** Bytes run out within a row. */
  final ScriptedScan full(String row, int cells) {
    return step(ScanProgress.LIMIT_IN_ROW, row, cells);
  }

  /** A batch of cells is full. */
  final ScriptedScan batch(String row, int cells) {
    return step(ScanProgress.BATCH_FULL, row, cells);
  }

  /** Time runs out while a row is looked for; so far the scan has come. */
  final ScriptedScan late(String row) {
    return step(ScanProgress.LIMIT_BETWEEN_ROWS, row, 0);
  }

  public final ScriptedScan failing(IOException error) {
    failure = Optional.of(error);
    return this;
  }

  private ScriptedScan step(ScanProgress progress, String row, int cells) {
    steps.add(new Step(progress, row, cells));
    return this;
  }

  @Override
  public ScanProgress next(CellBuffer out, ReadBudget limits) throws IOException {
    lastLimits = limits;
    beforeStep.run();
    if (stopped) {
      throw new ReadStoppedException();
    }
    if (steps.isEmpty()) {
      if (failure.isPresent()) {
        throw failure.get();
      }
      return missesBlock ? ScanProgress.WOULD_WAIT : ScanProgress.END;
    }
    Step step = steps.remove();
    qualifiers = step.row().equals(lastRow) ? qualifiers : 0;
    lastRow = step.row();
    for (int i = 0; i < step.cells(); i++) {
      byte[] qualifier = Bytes.utf8("q" + qualifiers++);
      out.add(Cell.put(Bytes.utf8(step.row()), Bytes.utf8("f"), qualifier, 1, Bytes.utf8("v")));
    }
    rows += step.progress() == ScanProgress.ROW_DONE ? 1 : 0;
    return step.progress();
  }

  @Override
  public ScanProgress peek(ReadBudget budget) {
    return steps.isEmpty() && failure.isEmpty() ? ScanProgress.END : ScanProgress.ROW_DONE;
  }

  @Override
  public long readPoint() {
    return 42;
  }

  @Override
  public ScanStatistics statistics() {
    return ScanStatistics.of(rows, 0, Bytes.utf8(lastRow));
  }

  @Override
  public void close() {
    closed = true;
  }
}
