package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.PendingWrite;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.regionserver.hosted.SpaceLimits.Change;
import java.io.IOException;

/** Refuses writes that the table's limit on space forbids. Thread-safe. */
public record SpaceLimitedWrites(RegionWrites writes, TableName table, SpaceLimits limits)
    implements RegionWrites {
  /** Returns the layer that holds writes, bulk loads and compactions to {@code limits}. */
  public static RegionLayer layer(SpaceLimits limits) {
    return (info, schema, below) ->
        below
            .writing(new SpaceLimitedWrites(below.writes(), info.table(), limits))
            .limitedBy(limits);
  }

  @Override
  public PendingWrite write(WriteRequest request, WriteBudget budget) throws IOException {
    if (limits.concerns(table)) {
      limits.check(table, change(request));
    }
    return writes.write(request, budget);
  }

  private static Change change(WriteRequest request) {
    for (int i = 0; i < request.mutationCount(); i++) {
      if (request.kind(i) != Mutation.Kind.DELETE) {
        return Change.INSERT;
      }
    }
    return Change.DELETE;
  }
}
