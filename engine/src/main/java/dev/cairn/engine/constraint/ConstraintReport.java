package dev.cairn.engine.constraint;

import dev.cairn.engine.cell.BinaryText;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Collects the values of a file that break the constraints of a table. One thread. */
public final class ConstraintReport {
  private static final int EXAMPLES_MAX = 3;

  private final ColumnRules rules;
  private final List<String> examples = new ArrayList<>();
  private long count;

  /** Creates an empty report. */
  public ConstraintReport(ColumnRules rules) {
    this.rules = rules;
  }

  /** Checks the value of a cell; ignores delete markers. */
  public void check(Cell cell) {
    ColumnRule rule = rules.find(cell);
    if (rule == null
        || cell.typeCode() != CellType.PUT.code()
        || rule.accepts(cell.bytes(), cell.valueOffset(), cell.valueLength())) {
      return;
    }
    count++;
    if (examples.size() < EXAMPLES_MAX) {
      Optional<String> broken = rule.broken(cell.bytes(), cell.valueOffset(), cell.valueLength());
      examples.add(
          "row '"
              + BinaryText.show(cell.bytes(), cell.rowOffset(), cell.rowLength())
              + "': "
              + broken.orElseThrow());
    }
  }

  /**
   * Returns a message with the number of values that break a rule, and the first of them; empty if
   * there are none.
   */
  public Optional<String> text() {
    return count == 0
        ? Optional.empty()
        : Optional.of(
            count
                + (count == 1 ? " value breaks" : " values break")
                + " a constraint of the table: "
                + String.join("; ", examples)
                + (count > examples.size() ? "; ..." : ""));
  }
}
