package dev.cairn.engine.explain;

import dev.cairn.engine.scan.CellOutcome;
import java.util.List;
import java.util.Map;

/**
 * A row and the outcomes of its cells.
 *
 * @param row the row
 * @param read whether the scan came to it
 * @param cells its cells, family by family in order; only the first ones, if there are very many
 * @param counts number of cells by outcome, including those not in {@code cells}
 */
public record ExplainedRow(
    byte[] row, boolean read, List<ExplainedCell> cells, Map<CellOutcome, Long> counts) {
  /** Copies the collections. */
  public ExplainedRow {
    cells = List.copyOf(cells);
    counts = Map.copyOf(counts);
  }

  /** Returns how many cells the row has. */
  public long size() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }
}
