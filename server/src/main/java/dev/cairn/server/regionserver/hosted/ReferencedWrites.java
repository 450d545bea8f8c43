package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.constraint.ColumnRule;
import dev.cairn.engine.constraint.ColumnRules;
import dev.cairn.engine.region.write.ConstraintViolationException;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.PendingWrite;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.schema.TableName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Refuses puts whose values refer to rows that another table does not have. Asks the other table
 * once for all values of a write, before the write and without a lock. If a row is deleted at the
 * same time, references to it may remain. Thread-safe.
 */
public final class ReferencedWrites implements RegionWrites {
  private final RegionWrites writes;
  private final TableName table;
  private final ColumnRules rules;
  private final ReferencedRows others;

  private ReferencedWrites(
      RegionWrites writes, TableName table, ColumnRules rules, ReferencedRows others) {
    this.writes = writes;
    this.table = table;
    this.rules = rules;
    this.others = others;
  }

  /** Returns the layer over regions of tables with reference columns. */
  public static RegionLayer layer(ReferencedRows others) {
    return (info, schema, below) ->
        schema.constraints().hasReferences()
            ? below.writing(
                new ReferencedWrites(below.writes(), info.table(), schema.constraints(), others))
            : below;
  }

  /** The value of a put, and the rule by which it refers to a row. */
  private record Reference(int mutation, byte[] row, ColumnRule rule, byte[] value) {}

  @Override
  public PendingWrite write(WriteRequest request, WriteBudget budget) throws IOException {
    List<Reference> references = references(request);
    if (references.isEmpty()) {
      return writes.write(request, budget);
    }
    if (!budget.mayWait()) {
      return PendingWrite.WOULD_WAIT;
    }
    Map<Integer, ConstraintViolationException> refused = refused(references);
    if (refused.isEmpty()) {
      return writes.write(request, budget);
    }
    if (request instanceof WriteRequest.Batch batch) {
      return others(batch, refused, budget);
    }
    throw refused.values().iterator().next();
  }

  private List<Reference> references(WriteRequest request) {
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

  /** Returns why mutations are refused, keyed by their indexes. */
  private Map<Integer, ConstraintViolationException> refused(List<Reference> references)
      throws IOException {
    Map<String, SortedSet<byte[]>> wanted = new LinkedHashMap<>();
    for (Reference reference : references) {
      wanted
          .computeIfAbsent(
              reference.rule().reference().orElseThrow(),
              name -> new TreeSet<>(Arrays::compareUnsigned))
          .add(reference.value());
    }
    Map<String, SortedSet<byte[]>> missing = new LinkedHashMap<>();
    for (Map.Entry<String, SortedSet<byte[]>> each : wanted.entrySet()) {
      missing.put(each.getKey(), others.missing(TableName.parse(each.getKey()), each.getValue()));
    }
    Map<Integer, ConstraintViolationException> refused = new LinkedHashMap<>();
    for (Reference reference : references) {
      String name = reference.rule().reference().orElseThrow();
      if (missing.get(name).contains(reference.value())) {
        refused.putIfAbsent(reference.mutation(), violation(reference, name));
      }
    }
    return refused;
  }

  private ConstraintViolationException violation(Reference reference, String name) {
    byte[] value = reference.value();
    return ConstraintViolationException.inRow(
        table,
        reference.row(),
        reference.rule().breaks("reference " + name, value, 0, value.length)
            + ": the table has no such row");
  }

  /** Writes the mutations of a batch that are not refused. */
  private PendingWrite others(
      WriteRequest.Batch batch,
      Map<Integer, ConstraintViolationException> refused,
      WriteBudget budget)
      throws IOException {
    List<Mutation> accepted = new ArrayList<>();
    for (int i = 0; i < batch.mutations().size(); i++) {
      if (!refused.containsKey(i)) {
        accepted.add(batch.mutations().get(i));
      }
    }
    List<MutationOutcome> done =
        accepted.isEmpty()
            ? List.of()
            : writes.write(new WriteRequest.Batch(accepted), budget).join();
    List<MutationOutcome> all = new ArrayList<>();
    int next = 0;
    for (int i = 0; i < batch.mutations().size(); i++) {
      all.add(
          refused.containsKey(i) ? new MutationOutcome.Refused(refused.get(i)) : done.get(next++));
    }
    return PendingWrite.of(all);
  }
}
