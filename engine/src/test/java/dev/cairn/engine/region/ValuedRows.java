package dev.cairn.engine.region;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.TestFilter;
import dev.cairn.engine.scan.condition.RowCondition;
import dev.cairn.engine.scan.condition.ValueRanges;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Takes the rows whose visible cells fulfil a condition. */
final class ValuedRows extends TestFilter {
  private final RowCondition condition;
  private final boolean tells;
  private final List<Cell> cells = new ArrayList<>();

  ValuedRows(byte[] family, byte[] qualifier, ValueRanges values, boolean tells) {
    this(RowCondition.column(family, qualifier, values), tells);
  }

  /**
   * Creates a filter.
   *
   * @param tells whether a scan may use indexes for it
   */
  ValuedRows(RowCondition condition, boolean tells) {
    super(cell -> true, true);
    this.condition = condition;
    this.tells = tells;
  }

  @Override
  public RowCondition rowCondition(ScanRequest request) {
    return condition;
  }

  @Override
  public boolean mayMissRows() {
    return tells;
  }

  @Override
  public void reset() {
    cells.clear();
  }

  @Override
  public Decision filterCell(Cell cell) {
    cells.add(cell.copy());
    return Decision.INCLUDE;
  }

  @Override
  public boolean filterRow() {
    return !condition.isFulfilled(
        column ->
            cells.stream()
                .anyMatch(
                    cell ->
                        Arrays.equals(cell.family(), column.family())
                            && Arrays.equals(cell.qualifier(), column.qualifier())
                            && column.values().contains(cell.value())));
  }
}
