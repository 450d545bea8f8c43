package dev.cairn.server.regionserver;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.Condition;
import dev.cairn.engine.region.Mutation;
import dev.cairn.engine.region.MutationOutcome;
import dev.cairn.engine.schema.RegionInfo;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/** Refuses to write to a replica of {@code region}. */
record ReplicaWrites(RegionInfo region) implements RegionWrites {
  @Override
  public List<MutationOutcome> mutate(List<Mutation> batch) throws DoNotRetryIOException {
    throw readOnly();
  }

  @Override
  public CellBuffer mutateAtomically(List<Mutation> mutations) throws DoNotRetryIOException {
    throw readOnly();
  }

  @Override
  public Optional<CellBuffer> checkAndMutate(Condition condition, List<Mutation> mutations)
      throws DoNotRetryIOException {
    throw readOnly();
  }

  @Override
  public Optional<CellBuffer> checkAndMutate(List<Condition> conditions, List<Mutation> mutations)
      throws DoNotRetryIOException {
    throw readOnly();
  }

  private DoNotRetryIOException readOnly() {
    return new DoNotRetryIOException(
        "region is read only: a replica takes no writes, write to " + region.regionNameAsString());
  }
}
