package dev.cairn.engine.wal.split;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.wal.file.WalEntry;
import java.util.Arrays;
import java.util.List;

/**
 * The sequence numbers up to which the families of a region are in store files. Holds for all
 * earlier owners of the region, because its sequence numbers never go back. Immutable.
 *
 * @param families the families whose number is known
 */
public record FlushedSequences(List<Family> families) {
  /** Knows of no write in store files. */
  public static final FlushedSequences NONE = new FlushedSequences(List.of());

  /**
   * One family.
   *
   * @param name its name
   * @param sequence every change of the family up to this number is in store files
   */
  public record Family(byte[] name, long sequence) {}

  /** Copies the list. */
  public FlushedSequences {
    families = List.copyOf(families);
  }

  /**
   * Tells whether store files hold all cells of an entry. Returns false for an entry without cells,
   * which carries only the nonce of a change, and for one with a cell of an unknown family, such as
   * a marker.
   */
  boolean cover(WalEntry entry) {
    if (families.isEmpty()) {
      return false;
    }
    CellBuffer cells = entry.cells();
    Cell cell = new Cell();
    for (int i = 0; i < cells.size(); i++) {
      cells.get(i, cell, entry.sequence());
      if (!covers(cell, entry.sequence())) {
        return false;
      }
    }
    return cells.size() > 0;
  }

  private boolean covers(Cell cell, long sequence) {
    for (Family family : families) {
      if (Arrays.equals(
          cell.bytes(),
          cell.familyOffset(),
          cell.familyOffset() + cell.familyLength(),
          family.name(),
          0,
          family.name().length)) {
        return sequence <= family.sequence();
      }
    }
    return false;
  }
}
