package dev.cairn.server.regionserver;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.Condition;
import dev.cairn.engine.region.Mutation;
import dev.cairn.engine.region.MutationOutcome;
import dev.cairn.engine.region.PutBatch;
import dev.cairn.engine.region.WriteListener;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * Stands in where nothing may be written: every call gets the reason.
 *
 * @param reason the whole message
 */
record RefusedWrites(String reason) implements RegionWrites {
  private DoNotRetryIOException error() {
    return new DoNotRetryIOException(reason);
  }

  @Override
  public List<MutationOutcome> mutate(List<Mutation> batch) throws DoNotRetryIOException {
    throw error();
  }

  @Override
  public Optional<MutationOutcome> put(PutBatch puts) throws DoNotRetryIOException {
    throw error();
  }

  @Override
  public boolean tryMutate(Mutation mutation, WriteListener told) throws DoNotRetryIOException {
    throw error();
  }

  /** Has nothing to hurry: nothing is ever begun. */
  @Override
  public void hurryBegun() {}

  @Override
  public CellBuffer mutateAtomically(List<Mutation> mutations) throws DoNotRetryIOException {
    throw error();
  }

  @Override
  public Optional<CellBuffer> checkAndMutate(Condition condition, List<Mutation> mutations)
      throws DoNotRetryIOException {
    throw error();
  }

  @Override
  public Optional<CellBuffer> checkAndMutate(List<Condition> conditions, List<Mutation> mutations)
      throws DoNotRetryIOException {
    throw error();
  }
}
