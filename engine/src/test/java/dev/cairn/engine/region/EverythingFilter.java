package dev.cairn.engine.region;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.ScanFilter;
import java.io.IOException;
import java.util.Optional;

/** Takes every cell. */
class EverythingFilter implements ScanFilter {
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
    return Decision.INCLUDE;
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
    return false;
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
