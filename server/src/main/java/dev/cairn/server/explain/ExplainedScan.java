package dev.cairn.server.explain;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.explain.Explanation;
import dev.cairn.engine.explain.Explanation.ExplainedRow;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanStatistics;
import dev.cairn.engine.schema.RegionInfo;
import java.io.IOException;
import java.util.Optional;

/**
 * An explanation in the shape of a scan, with a row of one cell for each statement. One thread at a
 * time.
 */
public final class ExplainedScan implements RegionRead {
  private enum Phase {
    BEGIN,
    ROWS,
    END
  }

  private static final byte[] FAMILY = Bytes.utf8(ExplainOptions.FAMILY);

  private final RegionInfo region;
  private final boolean hooked;
  private final Explanation explanation;
  private Phase phase = Phase.BEGIN;
  private byte[] lastRow;

  /**
   * Creates a scan, which owns the explanation from now on.
   *
   * @param hooked whether the region has coprocessors
   */
  public ExplainedScan(RegionInfo region, boolean hooked, Explanation explanation) {
    this.region = region;
    this.hooked = hooked;
    this.explanation = explanation;
    // A result must have a row, but the first and the last statement belong to none.
    this.lastRow = region.startKey().length > 0 ? region.startKey() : new byte[1];
  }

  @Override
  public ScanProgress next(CellBuffer out, ReadBudget budget) throws IOException {
    switch (phase) {
      case BEGIN -> {
        phase = Phase.ROWS;
        add(out, ExplainOptions.BEGIN, ExplainJson.report(region, hooked, explanation.report()));
        return ScanProgress.ROW_DONE;
      }
      case ROWS -> {
        Optional<ExplainedRow> row = explanation.next(budget.deadlineNanos());
        if (row.isPresent()) {
          lastRow = row.get().row();
          add(out, ExplainOptions.ROW, ExplainJson.row(row.get()));
          return ScanProgress.ROW_DONE;
        }
        if (!explanation.isEnded()) {
          return ScanProgress.LIMIT_BETWEEN_ROWS;
        }
        phase = Phase.END;
        add(out, ExplainOptions.END, ExplainJson.report(region, hooked, explanation.report()));
        return ScanProgress.ROW_DONE;
      }
      default -> {
        return ScanProgress.END;
      }
    }
  }

  @Override
  public ScanProgress peek(ReadBudget budget) {
    return phase == Phase.END ? ScanProgress.END : ScanProgress.ROW_DONE;
  }

  @Override
  public long readPoint() {
    return explanation.report().readPoint();
  }

  @Override
  public ScanStatistics statistics() {
    return explanation.report().statistics();
  }

  @Override
  public void stop() {
    explanation.stop();
  }

  @Override
  public void close() {
    explanation.close();
  }

  private void add(CellBuffer out, String column, byte[] json) {
    out.add(Cell.put(lastRow, FAMILY, Bytes.utf8(column), 0, json));
  }
}
