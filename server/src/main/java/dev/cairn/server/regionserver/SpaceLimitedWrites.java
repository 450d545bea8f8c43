package dev.cairn.server.regionserver;

import dev.cairn.engine.region.Mutation;
import dev.cairn.engine.region.PendingWrite;
import dev.cairn.engine.region.PutBatch;
import dev.cairn.engine.region.WriteBudget;
import dev.cairn.engine.region.WriteRequest;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.regionserver.SpaceLimits.Change;
import java.io.IOException;
import java.util.List;

/** Refuses writes that the table's limit on space forbids. Thread-safe. */
record SpaceLimitedWrites(RegionWrites writes, TableName table, SpaceLimits limits)
    implements RegionWrites {
  @Override
  public PendingWrite write(WriteRequest request, WriteBudget budget) throws IOException {
    if (limits.concerns(table)) {
      limits.check(table, change(request));
    }
    return writes.write(request, budget);
  }

  private static Change change(WriteRequest request) {
    if (request instanceof Mutation mutation) {
      return change(mutation);
    }
    if (request instanceof PutBatch) {
      return Change.INSERT;
    }
    List<Mutation> mutations =
        request instanceof WriteRequest.Batch batch
            ? batch.mutations()
            : ((WriteRequest.Atomic) request).mutations();
    return mutations.stream().allMatch(one -> change(one) == Change.DELETE)
        ? Change.DELETE
        : Change.INSERT;
  }

  private static Change change(Mutation mutation) {
    return mutation.kind() == Mutation.Kind.DELETE ? Change.DELETE : Change.INSERT;
  }
}
