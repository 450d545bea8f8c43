package dev.cairn.engine.region.steps;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.write.Mutation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The resolved mutations of a write in steps that are not staged yet, by row. */
final class ResolvedRows {
  private final Map<ByteBuffer, List<Mutation>> rows = new HashMap<>();

  /** Adds a mutation after the others of its row. */
  void add(Mutation mutation) {
    rows.computeIfAbsent(ByteBuffer.wrap(mutation.row()), row -> new ArrayList<>(1)).add(mutation);
  }

  /** Returns the mutations of a row, in their order. */
  List<Mutation> of(byte[] row) {
    return rows.getOrDefault(ByteBuffer.wrap(row), List.of());
  }

  /**
   * Tells whether a mutation and an earlier one have a column in common, and one of the two is an
   * increment or append. It would not see the other, and both would have the same timestamp.
   */
  boolean computesWith(Mutation mutation) {
    for (Mutation earlier : of(mutation.row())) {
      if ((mutation.kind().isComputed() || earlier.kind().isComputed())
          && overlap(mutation.cells(), earlier.cells())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Tells whether cells of one row have a column in common. An empty buffer stands for all columns.
   */
  private static boolean overlap(CellBuffer some, CellBuffer others) {
    Cell one = new Cell();
    Cell other = new Cell();
    for (int i = 0; i < some.size(); i++) {
      some.get(i, one, 0);
      for (int j = 0; j < others.size(); j++) {
        others.get(j, other, 0);
        if (one.sameColumn(other) || (ofFamily(one) || ofFamily(other)) && one.sameFamily(other)) {
          return true;
        }
      }
    }
    return some.isEmpty() || others.isEmpty();
  }

  private static boolean ofFamily(Cell cell) {
    return cell.typeCode() == CellType.DELETE_FAMILY.code()
        || cell.typeCode() == CellType.DELETE_FAMILY_VERSION.code();
  }

  void clear() {
    rows.clear();
  }
}
