package dev.cairn.server.regionserver;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.Condition;
import dev.cairn.engine.region.Mutation;
import dev.cairn.engine.region.MutationOutcome;
import dev.cairn.engine.region.RegionFailedException;
import dev.cairn.engine.wal.WalFailedException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/** Passes writes on, and tells when one failed because the log did. Thread-safe. */
record WatchedWrites(RegionWrites writes, Consumer<Throwable> fatal) implements RegionWrites {
  @Override
  public List<MutationOutcome> mutate(List<Mutation> batch) throws IOException {
    return watch(() -> writes.mutate(batch));
  }

  @Override
  public Optional<CompletableFuture<Void>> tryMutate(Mutation mutation) throws IOException {
    return watch(() -> writes.tryMutate(mutation)).map(begun -> begun.whenComplete(this::watch));
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

  private void watch(Void done, Throwable failure) {
    boolean wrapped = failure instanceof CompletionException && failure.getCause() != null;
    Throwable cause = wrapped ? failure.getCause() : failure;
    if (cause instanceof WalFailedException || cause instanceof RegionFailedException) {
      fatal.accept(cause);
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
