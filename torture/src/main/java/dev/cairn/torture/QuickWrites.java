package dev.cairn.torture;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.region.write.InvalidMutationException;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.Mutation.Kind;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.PendingWrite;
import dev.cairn.engine.region.write.PutBatch;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteListener;
import dev.cairn.engine.wal.WalStalledException;
import dev.cairn.torture.model.Difference;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The ways that writes of clients take through a server where there is a quicker one. */
final class QuickWrites {
  private static final long PATIENCE_SECONDS = 60;

  private QuickWrites() {}

  /** Tells whether mutations can be applied in one piece. */
  static boolean areBatch(List<Mutation> mutations) {
    return mutations.stream()
        .allMatch(
            mutation ->
                mutation.kind() == Kind.PUT
                    && !mutation.cells().hasMarkers()
                    && mutation.durability() == mutations.get(0).durability());
  }

  /** Applies puts in one piece, and returns their outcomes. */
  static MutationOutcome inOnePiece(Region region, List<Mutation> puts) throws IOException {
    CellBuffer cells = new CellBuffer();
    int[] ends = new int[puts.size()];
    for (int i = 0; i < ends.length; i++) {
      cells.addAll(puts.get(i).cells());
      ends[i] = cells.size();
    }
    PutBatch batch = new PutBatch(cells, ends, puts.get(0).durability());
    try {
      return region.write(batch, WriteBudget.UNLIMITED).outcome();
    } catch (InvalidMutationException e) {
      throw new Difference("Puts were refused that can be done");
    }
  }

  /** The outcome of a write that was begun. */
  private static final class Begun implements WriteListener {
    private final CompletableFuture<MutationOutcome> outcome = new CompletableFuture<>();

    @Override
    public void done(List<MutationOutcome> outcomes) {
      outcome.complete(outcomes.get(0));
    }

    @Override
    public void failed(Throwable cause) {
      outcome.completeExceptionally(cause);
    }
  }

  /**
   * Begins mutations one after the other, as calls that arrive together do, and requests one sync.
   * Mutations that cannot begin take the path of a handler.
   *
   * @return the outcome of each; if it fails, the outcomes are unknown
   */
  static List<CompletableFuture<MutationOutcome>> begin(Region region, List<Mutation> mutations) {
    List<CompletableFuture<MutationOutcome>> answers = new ArrayList<>();
    Runnable requestSync = () -> {};
    for (Mutation mutation : mutations) {
      Mutation again = copy(mutation); // of one that was tried, the timestamps may be changed
      try {
        PendingWrite pending = region.write(mutation, WriteBudget.AT_ONCE);
        if (pending.isBegun()) {
          Begun begun = new Begun();
          pending.whenDone(begun);
          requestSync = pending.requestSync();
          answers.add(begun.outcome);
        } else {
          requestSync.run(); // what a handler does may wait for what was begun before
          MutationOutcome outcome = region.write(again, WriteBudget.UNLIMITED).outcome();
          answers.add(CompletableFuture.completedFuture(outcome));
        }
      } catch (RegionBusyException | WalStalledException | InvalidMutationException e) {
        answers.add(CompletableFuture.completedFuture(new MutationOutcome.Refused(e)));
      } catch (IOException e) {
        answers.add(CompletableFuture.failedFuture(e));
      }
    }
    requestSync.run();
    return answers;
  }

  private static Mutation copy(Mutation mutation) {
    CellBuffer cells = new CellBuffer();
    cells.addAll(mutation.cells());
    return new Mutation(
        mutation.kind(),
        mutation.row(),
        cells,
        mutation.durability(),
        mutation.timeRange(),
        mutation.returnResult());
  }

  /**
   * Waits for the outcome of a mutation.
   *
   * @throws IOException if it is unknown
   */
  static MutationOutcome await(CompletableFuture<MutationOutcome> answer) throws IOException {
    try {
      return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException known) {
        throw known;
      }
      throw new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException("A write that was begun has never been answered", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while a write was waited for");
    }
  }
}
