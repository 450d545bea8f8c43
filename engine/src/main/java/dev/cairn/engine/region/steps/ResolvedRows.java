package dev.cairn.engine.region.steps;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.Mutation.Kind;
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
   * Throws if a row has more deletes without cells than were resolved. A resolved one has lost its
   * cells; any other stands for the whole row, and would delete nothing.
   */
  void checkDeletes(List<Mutation> mutations) {
    Map<ByteBuffer, Integer> emptied = new HashMap<>();
    for (Mutation mutation : mutations) {
      if (mutation.kind() == Kind.DELETE && mutation.cells().isEmpty()) {
        byte[] row = mutation.row();
        long known = of(row).stream().filter(one -> one.kind() == Kind.DELETE).count();
        if (emptied.merge(ByteBuffer.wrap(row), 1, Integer::sum) > known) {
          throw new IllegalArgumentException(
              "The delete of the whole row " + Bytes.toStringBinary(row) + " is not resolved");
        }
      }
    }
  }

  /** Tells whether cells of one row have a column in common; no cells stand for all columns. */
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
