package dev.cairn.engine.region;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.TestFilter;
import dev.cairn.engine.scan.condition.RowCondition;
import dev.cairn.engine.scan.condition.ValueRanges;
import java.util.Arrays;

/** Takes the rows that have a visible cell of a column with one of some values. */
final class ValuedRows extends TestFilter {
  private final byte[] family;
  private final byte[] qualifier;
  private final ValueRanges values;
  private final boolean tells;
  private boolean found;

  ValuedRows(byte[] family, byte[] qualifier, ValueRanges values, boolean tells) {
    super(cell -> true, true);
    this.family = family;
    this.qualifier = qualifier;
    this.values = values;
    this.tells = tells;
  }

  @Override
  public RowCondition rowCondition(ScanRequest request) {
    return RowCondition.column(family, qualifier, values);
  }

  @Override
  public boolean mayMissRows() {
    return tells;
  }

  @Override
  public void reset() {
    found = false;
  }

  @Override
  public Decision filterCell(Cell cell) {
    found |=
        Arrays.equals(cell.family(), family)
            && Arrays.equals(cell.qualifier(), qualifier)
            && values.contains(cell.value());
    return Decision.INCLUDE;
  }

  @Override
  public boolean filterRow() {
    return !found;
  }
}
