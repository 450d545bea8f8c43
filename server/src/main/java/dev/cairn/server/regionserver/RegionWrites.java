package dev.cairn.server.regionserver;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.Condition;
import dev.cairn.engine.region.Mutation;
import dev.cairn.engine.region.MutationOutcome;
import dev.cairn.engine.region.PutBatch;
import dev.cairn.engine.region.WriteListener;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** How calls write to one region; the engine's contract of the same methods holds. Thread-safe. */
public interface RegionWrites {
  /** Applies mutations, each on its own, and returns one outcome for each. */
  List<MutationOutcome> mutate(List<Mutation> batch) throws IOException;

  /**
   * Applies puts, each on its own; empty, with nothing done, if {@link #mutate} would refuse one of
   * them, or has to do it for another reason. All of them have one outcome.
   */
  Optional<MutationOutcome> put(PutBatch puts) throws IOException;

  /**
   * Begins to apply a mutation if nothing has to be waited for; returns false, with nothing done
   * but perhaps timestamps filled in, if that cannot be. {@link #hurryBegun} is to follow, once for
   * all that was begun in a row.
   */
  boolean tryMutate(Mutation mutation, WriteListener told) throws IOException;

  /** Has the log make safe at once what {@link #tryMutate} has begun. Waits for nothing. */
  void hurryBegun();

  /** Applies mutations all together or not at all. */
  CellBuffer mutateAtomically(List<Mutation> mutations) throws IOException;

  /** Applies mutations of one row together if the condition holds; empty if it does not. */
  Optional<CellBuffer> checkAndMutate(Condition condition, List<Mutation> mutations)
      throws IOException;

  /** Applies mutations of any rows together if all conditions hold; empty if one does not. */
  Optional<CellBuffer> checkAndMutate(List<Condition> conditions, List<Mutation> mutations)
      throws IOException;
}
