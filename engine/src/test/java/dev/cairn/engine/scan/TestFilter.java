package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Predicate;

/** Takes all cells, or those that a predicate likes; everything else can be overridden. */
public class TestFilter implements ScanFilter {
  /** Likes puts of an odd number, and markers. */
  public static final Predicate<Cell> ODD_VALUES =
      cell -> cell.valueLength() != 4 || Bytes.getInt(cell.value(), 0) % 2 != 0;

  private final Predicate<Cell> predicate;
  private final boolean wholeRow;

  /** Creates a filter that takes all cells. */
  public TestFilter() {
    this(cell -> true, false);
  }

  public TestFilter(Predicate<Cell> predicate, boolean wholeRow) {
    this.predicate = predicate;
    this.wholeRow = wholeRow;
  }

  @Override
  public void reset() {}

  @Override
  public boolean filterAllRemaining() {
    return false;
  }

  @Override
  public boolean filterRowKey(Cell first) {
    return false;
  }

  @Override
  public Decision filterCell(Cell cell) throws IOException {
    return predicate.test(cell) ? Decision.INCLUDE : Decision.SKIP;
  }

  @Override
  public Cell transform(Cell cell) {
    return cell;
  }

  @Override
  public Optional<Cell> hint(Cell cell) {
    return Optional.empty();
  }

  @Override
  public boolean needsWholeRow() {
    return wholeRow;
  }

  @Override
  public CellBuffer filterRowCells(CellBuffer row) {
    return row;
  }

  @Override
  public boolean filterRow() {
    return false;
  }

  @Override
  public boolean isFamilyEssential(byte[] family) {
    return true;
  }
}
