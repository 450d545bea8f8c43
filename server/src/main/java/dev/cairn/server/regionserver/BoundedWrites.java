package dev.cairn.server.regionserver;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.Condition;
import dev.cairn.engine.region.MemStoreRoom;
import dev.cairn.engine.region.Mutation;
import dev.cairn.engine.region.MutationOutcome;
import dev.cairn.engine.region.PutBatch;
import dev.cairn.engine.region.WriteListener;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Passes writes on, but refuses those above the limit of all memstores together: memory that a
 * flush has not freed cannot be given away. Clients try again after a pause. It counts the cells of
 * the requests; the region counts what increments and appends make beyond those. Thread-safe.
 */
record BoundedWrites(RegionWrites writes, MemStoreRoom room) implements RegionWrites {
  /** The approximate bytes that a memstore takes for a cell besides its content. */
  private static final int NODE_BYTES = 56;

  @Override
  public List<MutationOutcome> mutate(List<Mutation> batch) throws IOException {
    room.reserve(bytes(batch));
    return writes.mutate(batch);
  }

  @Override
  public Optional<MutationOutcome> put(PutBatch puts) throws IOException {
    room.reserve(bytes(puts.cells()));
    return writes.put(puts);
  }

  @Override
  public boolean tryMutate(Mutation mutation, WriteListener told) throws IOException {
    room.reserve(bytes(mutation.cells()));
    return writes.tryMutate(mutation, told);
  }

  @Override
  public void hurryBegun() {
    writes.hurryBegun();
  }

  @Override
  public CellBuffer mutateAtomically(List<Mutation> mutations) throws IOException {
    room.reserve(bytes(mutations));
    return writes.mutateAtomically(mutations);
  }

  @Override
  public Optional<CellBuffer> checkAndMutate(Condition condition, List<Mutation> mutations)
      throws IOException {
    room.reserve(bytes(mutations));
    return writes.checkAndMutate(condition, mutations);
  }

  @Override
  public Optional<CellBuffer> checkAndMutate(List<Condition> conditions, List<Mutation> mutations)
      throws IOException {
    room.reserve(bytes(mutations));
    return writes.checkAndMutate(conditions, mutations);
  }

  private static long bytes(List<Mutation> mutations) {
    long bytes = 0;
    for (Mutation mutation : mutations) {
      bytes += bytes(mutation.cells());
    }
    return bytes;
  }

  private static long bytes(CellBuffer cells) {
    return cells.byteSize() + (long) NODE_BYTES * cells.size();
  }
}
