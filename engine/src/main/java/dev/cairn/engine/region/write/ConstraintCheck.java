package dev.cairn.engine.region.write;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.constraint.ColumnRule;
import dev.cairn.engine.constraint.ColumnRules;
import dev.cairn.engine.region.state.RegionStores;
import dev.cairn.engine.region.write.Mutation.Kind;
import dev.cairn.engine.schema.TableName;
import java.io.IOException;
import java.util.Optional;

/**
 * Checks mutations against the constraints of their table. Checks values before the rows are
 * locked, and computed values when they are computed. Checks required columns under the row's lock
 * ({@link RequiredColumns}). Thread-safe.
 */
final class ConstraintCheck {
  /** The check of a table without constraints; callers compare with it and skip the check. */
  static final ConstraintCheck NONE = new ConstraintCheck(ColumnRules.NONE, null, null);

  private final ColumnRules rules;
  private final TableName table;
  private final RequiredColumns required;
  private final boolean hasReferences;

  private ConstraintCheck(ColumnRules rules, TableName table, RequiredColumns required) {
    this.rules = rules;
    this.table = table;
    this.required = required;
    this.hasReferences = rules.hasReferences();
  }

  /** Returns the check of a table; {@link #NONE} if it has no constraints. */
  static ConstraintCheck of(ColumnRules rules, TableName table, RegionStores stores) {
    return rules == ColumnRules.NONE
        ? NONE
        : new ConstraintCheck(rules, table, new RequiredColumns(rules, table, stores));
  }

  /** Returns normally if all values of a mutation satisfy the rules. */
  void check(Mutation mutation) throws ConstraintViolationException {
    CellBuffer cells = mutation.cells();
    if (mutation.kind().isComputed() && !hasReferences || mutation.kind() == Kind.DELETE) {
      return;
    }
    Cell cell = new Cell();
    for (int i = 0; i < cells.size(); i++) {
      cells.get(i, cell, 0);
      if (mutation.kind().isComputed()) {
        checkReference(cell);
      } else if (cell.typeCode() == CellType.PUT.code()) {
        check(cell);
      }
    }
  }

  /** Returns normally if all values of final cells satisfy the rules. */
  void checkFinal(CellBuffer cells) throws ConstraintViolationException {
    Cell cell = new Cell();
    for (int i = 0; i < cells.size(); i++) {
      cells.get(i, cell, 0);
      if (cell.typeCode() == CellType.PUT.code()) {
        check(cell);
      }
    }
  }

  /** Returns normally if the value of a put, or a computed value, satisfies the rules. */
  void check(Cell cell) throws ConstraintViolationException {
    ColumnRule rule = rules.find(cell);
    if (rule != null && !accepts(rule, cell)) {
      Optional<String> broken = rule.broken(cell.bytes(), cell.valueOffset(), cell.valueLength());
      throw ConstraintViolationException.inRow(table, cell.row(), broken.orElseThrow());
    }
  }

  private static boolean accepts(ColumnRule rule, Cell cell) {
    return rule.accepts(cell.bytes(), cell.valueOffset(), cell.valueLength());
  }

  /**
   * Refuses increments and appends of a reference column: references are checked before the value
   * is computed.
   */
  private void checkReference(Cell cell) throws ConstraintViolationException {
    ColumnRule rule = rules.find(cell);
    if (rule != null && rule.reference().isPresent()) {
      throw ConstraintViolationException.inRow(
          table,
          cell.row(),
          "column "
              + rule.column()
              + " has the rule \"reference "
              + rule.reference().get()
              + "\", so its values cannot be computed by increments and appends");
    }
  }

  /**
   * Tells whether all puts of a batch satisfy the rules and have all required columns. If not, the
   * caller applies them one by one, which reads rows and explains refusals.
   */
  boolean accepts(PutBatch puts) {
    CellBuffer cells = puts.cells();
    Cell cell = new Cell();
    for (int put = 0, i = 0; put < puts.size(); put++) {
      long present = 0;
      for (; i < puts.ends()[put]; i++) {
        ColumnRule rule = rules.find(cells.get(i, cell, 0));
        if (rule != null) {
          if (!accepts(rule, cell)) {
            return false;
          }
          present |= rule.requiredBit();
        }
      }
      if (present != rules.requiredBits()) {
        return false;
      }
    }
    return true;
  }

  /** Tells whether {@link #checkRows} may read the mutation's row, or refuse the mutation. */
  boolean needsRow(Mutation mutation) {
    if (rules.requiredBits() == 0) {
      return false;
    }
    return mutation.kind() != Kind.PUT || !isComplete(mutation.cells());
  }

  /** Tells whether cells are puts of one row with all required columns. */
  private boolean isComplete(CellBuffer cells) {
    Cell first = new Cell();
    Cell cell = new Cell();
    long present = 0;
    for (int i = 0; i < cells.size(); i++) {
      cells.get(i, cell, 0);
      if (i == 0) {
        first.set(cell);
      }
      if (cell.isDelete() || !cell.sameRow(first)) {
        return false;
      }
      ColumnRule rule = rules.find(cell);
      present |= rule == null ? 0 : rule.requiredBit();
    }
    return present == rules.requiredBits();
  }

  /** Returns normally if every row has its required columns after the cells are written. */
  void checkRows(CellBuffer cells, WriteReads reads) throws IOException {
    if (rules.requiredBits() != 0 && !isComplete(cells)) {
      required.check(cells, reads);
    }
  }
}
