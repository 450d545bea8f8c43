package dev.cairn.server.regionserver;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.Condition;
import dev.cairn.engine.region.Mutation;
import dev.cairn.engine.region.MutationOutcome;
import dev.cairn.engine.region.PutBatch;
import dev.cairn.engine.region.RegionFailedException;
import dev.cairn.engine.region.WriteListener;
import dev.cairn.engine.wal.WalFailedException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Passes writes on, and tells when one failed because the log did. Thread-safe. */
record WatchedWrites(RegionWrites writes, Consumer<Throwable> fatal) implements RegionWrites {
  @Override
  public List<MutationOutcome> mutate(List<Mutation> batch) throws IOException {
    return watch(() -> writes.mutate(batch));
  }

  @Override
  public Optional<MutationOutcome> put(PutBatch puts) throws IOException {
    return watch(() -> writes.put(puts));
  }

  @Override
  public boolean tryMutate(Mutation mutation, WriteListener told) throws IOException {
    return watch(() -> writes.tryMutate(mutation, new Watch(told, fatal)));
  }

  @Override
  public void hurryBegun() {
    writes.hurryBegun();
  }

  @Override
  public CellBuffer mutateAtomically(List<Mutation> mutations) throws IOException {
    return watch(() -> writes.mutateAtomically(mutations));
  }

  @Override
  public Optional<CellBuffer> checkAndMutate(Condition condition, List<Mutation> mutations)
      throws IOException {
    return watch(() -> writes.checkAndMutate(condition, mutations));
  }

  @Override
  public Optional<CellBuffer> checkAndMutate(List<Condition> conditions, List<Mutation> mutations)
      throws IOException {
    return watch(() -> writes.checkAndMutate(conditions, mutations));
  }

  /** Watches a write that was begun. */
  private record Watch(WriteListener told, Consumer<Throwable> fatal) implements WriteListener {
    @Override
    public void done(CellBuffer result) {
      told.done(result);
    }

    @Override
    public void failed(Throwable cause) {
      try {
        if (cause instanceof WalFailedException || cause instanceof RegionFailedException) {
          fatal.accept(cause);
        }
      } finally {
        told.failed(cause);
      }
    }
  }

  private interface Write<T> {
    T run() throws IOException;
  }

  private <T> T watch(Write<T> write) throws IOException {
    try {
      return write.run();
    } catch (WalFailedException | RegionFailedException e) {
      fatal.accept(e);
      throw e;
    }
  }
}
