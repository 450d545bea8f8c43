package dev.cairn.server.regionserver;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.Condition;
import dev.cairn.engine.region.Mutation;
import dev.cairn.engine.region.MutationOutcome;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** How calls write to one region; the engine's contract of the same methods holds. Thread-safe. */
public interface RegionWrites {
  /** Applies mutations, each on its own, and returns one outcome for each. */
  List<MutationOutcome> mutate(List<Mutation> batch) throws IOException;

  /**
   * Begins to apply a put or delete if nothing has to be waited for; empty, with nothing done but
   * perhaps timestamps filled in, if that cannot be. What is returned completes on a thread that
   * must not be kept.
   */
  default Optional<CompletableFuture<Void>> tryMutate(Mutation mutation) throws IOException {
    return Optional.empty();
  }

  /** Applies mutations all together or not at all. */
  CellBuffer mutateAtomically(List<Mutation> mutations) throws IOException;

  /** Applies mutations of one row together if the condition holds; empty if it does not. */
  Optional<CellBuffer> checkAndMutate(Condition condition, List<Mutation> mutations)
      throws IOException;

  /** Applies mutations of any rows together if all conditions hold; empty if one does not. */
  Optional<CellBuffer> checkAndMutate(List<Condition> conditions, List<Mutation> mutations)
      throws IOException;
}
