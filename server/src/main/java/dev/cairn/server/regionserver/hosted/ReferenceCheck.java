package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.constraint.ColumnRule;
import dev.cairn.engine.constraint.ColumnRules;
import dev.cairn.engine.region.write.ConstraintViolationException;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Finds puts whose values refer to rows that another table does not have. Queries the other table
 * once for all values of a write. If a row is deleted at the same time, references to it may
 * remain. Thread-safe.
 */
public final class ReferenceCheck {
  private final TableName table;
  private final ColumnRules rules;
  private final ReferencedRows others;

  private ReferenceCheck(TableName table, ColumnRules rules, ReferencedRows others) {
    this.table = table;
    this.rules = rules;
    this.others = others;
  }

  /** Returns the check of a table's writes; empty if no column of it refers to another table. */
  public static Optional<ReferenceCheck> of(TableSchema schema, ReferencedRows others) {
    return schema.constraints().hasReferences()
        ? Optional.of(new ReferenceCheck(schema.name(), schema.constraints(), others))
        : Optional.empty();
  }

  /** The values of a put, and the rule by which it refers to a row. */
  record Reference(int mutation, byte[] row, ColumnRule rule, byte[] value) {
    String other() {
      return rule.reference().orElseThrow();
    }
  }

  /** The values that are known to be rows of other tables. Used by one write, in one thread. */
  public static final class Known {
    private final Map<String, SortedSet<byte[]>> values = new LinkedHashMap<>();

    private SortedSet<byte[]> of(String other) {
      return values.computeIfAbsent(other, name -> new TreeSet<>(Arrays::compareUnsigned));
    }
  }

  /**
   * Returns why mutations are refused, keyed by their indexes. Waits for the network, unless all
   * values are known.
   */
  public Map<Integer, ConstraintViolationException> refused(WriteRequest request, Known known)
      throws IOException {
    return refused(references(request), known);
  }

  /** Returns the references of a write. */
  List<Reference> references(WriteRequest request) {
    List<Reference> references = new ArrayList<>();
    Cell cell = new Cell();
    for (int i = 0; i < request.mutationCount(); i++) {
      if (request.kind(i) != Mutation.Kind.PUT) {
        continue;
      }
      CellBuffer cells = request.cells(i);
      for (int c = 0; c < cells.size(); c++) {
        ColumnRule rule = rules.find(cells.get(c, cell, 0));
        if (rule != null
            && rule.reference().isPresent()
            && cell.typeCode() == CellType.PUT.code()
            && cell.valueLength() > 0) {
          references.add(new Reference(i, cell.row(), rule, cell.value()));
        }
      }
    }
    return references;
  }

  /** As {@link #refused(WriteRequest, Known)}. */
  Map<Integer, ConstraintViolationException> refused(List<Reference> references, Known known)
      throws IOException {
    Map<String, SortedSet<byte[]>> wanted = new LinkedHashMap<>();
    for (Reference reference : references) {
      if (!known.of(reference.other()).contains(reference.value())) {
        wanted
            .computeIfAbsent(reference.other(), name -> new TreeSet<>(Arrays::compareUnsigned))
            .add(reference.value());
      }
    }
    Map<String, String> problems = new LinkedHashMap<>();
    for (Map.Entry<String, SortedSet<byte[]>> each : wanted.entrySet()) {
      SortedSet<byte[]> found = each.getValue();
      try {
        found.removeAll(List.copyOf(others.missing(TableName.parse(each.getKey()), found)));
        known.of(each.getKey()).addAll(found);
      } catch (ReferencedRows.NoTableException e) {
        problems.put(each.getKey(), e.getMessage());
      }
    }
    Map<Integer, ConstraintViolationException> refused = new LinkedHashMap<>();
    for (Reference reference : references) {
      if (!known.of(reference.other()).contains(reference.value())) {
        String problem = problems.getOrDefault(reference.other(), "the table has no such row");
        refused.putIfAbsent(reference.mutation(), violation(reference, problem));
      }
    }
    return refused;
  }

  private ConstraintViolationException violation(Reference reference, String problem) {
    byte[] value = reference.value();
    return ConstraintViolationException.inRow(
        table,
        reference.row(),
        reference.rule().breaks("reference '" + reference.other() + "'", value, 0, value.length)
            + ": "
            + problem);
  }
}
