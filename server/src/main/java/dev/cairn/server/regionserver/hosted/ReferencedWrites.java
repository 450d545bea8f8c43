package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.region.write.ConstraintViolationException;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.PendingWrite;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Refuses puts whose values refer to rows that another table does not have. Asks the other table
 * before the write and without a lock. Thread-safe.
 */
public final class ReferencedWrites implements RegionWrites {
  private final RegionWrites writes;
  private final ReferenceCheck check;

  private ReferencedWrites(RegionWrites writes, ReferenceCheck check) {
    this.writes = writes;
    this.check = check;
  }

  /** Returns the layer over regions of tables with reference columns. */
  public static RegionLayer layer(ReferencedRows others) {
    return (info, schema, below) ->
        below.writes().checksReferences()
            ? below
            : ReferenceCheck.of(schema, others)
                .map(check -> below.writing(new ReferencedWrites(below.writes(), check)))
                .orElse(below);
  }

  @Override
  public PendingWrite write(WriteRequest request, WriteBudget budget) throws IOException {
    List<ReferenceCheck.Reference> references = check.references(request);
    if (references.isEmpty()) {
      return writes.write(request, budget);
    }
    if (!budget.mayWait()) {
      return PendingWrite.WOULD_WAIT;
    }
    Map<Integer, ConstraintViolationException> refused =
        check.refused(references, new ReferenceCheck.Known());
    if (refused.isEmpty()) {
      return writes.write(request, budget);
    }
    if (request instanceof WriteRequest.Batch batch) {
      return others(batch, refused, budget);
    }
    throw refused.values().iterator().next();
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
