package dev.cairn.coprocessor.write;

import dev.cairn.coprocessor.convert.Cells;
import dev.cairn.coprocessor.convert.ShownMutation;
import dev.cairn.coprocessor.environment.CallerOfThread;
import dev.cairn.coprocessor.facade.OperationHooks.Running;
import dev.cairn.engine.region.state.RegionFailedException;
import dev.cairn.engine.region.steps.SteppedWrite;
import dev.cairn.engine.region.write.ExplicitRowLocks.Held;
import dev.cairn.engine.region.write.ExplicitRowLocks.Mode;
import dev.cairn.engine.region.write.InvalidMutationException;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.PendingWrite;
import dev.cairn.engine.region.write.PutBatch;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.region.write.WriteRequest.Condition;
import dev.cairn.engine.region.write.WriteUndecidedException;
import dev.cairn.engine.wal.WalFailedException;
import dev.cairn.engine.wal.file.ClusterIds;
import dev.cairn.engine.wal.file.Nonce;
import dev.cairn.server.regionserver.hosted.RegionWrites;
import dev.cairn.server.request.ConditionDecoder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.regionserver.Region.Operation;

/**
 * Applies clients' writes to a region, and calls the hooks of its coprocessors. Never runs on a
 * network thread: a write that must not wait does not begin. Thread-safe.
 */
final class HookedWrites implements RegionWrites {
  private final HookedRegionWrites region;

  HookedWrites(HookedRegionWrites region) {
    this.region = region;
  }

  /** As those of coprocessors: hooks may have changed and added values. */
  @Override
  public boolean checksReferences() {
    return true;
  }

  @Override
  public PendingWrite write(WriteRequest request, WriteBudget budget) throws IOException {
    if (request instanceof PutBatch) {
      throw new InvalidMutationException("Hooks see each put; apply them one by one");
    }
    if (!budget.mayWait()) {
      return PendingWrite.WOULD_WAIT;
    }
    try (CallerOfThread caller = CallerOfThread.enter(region.table())) {
      return PendingWrite.of(outcomes(request));
    } catch (WriteUndecidedException e) {
      MutationOutcome undecided = new MutationOutcome.Undecided(e);
      return PendingWrite.of(List.of(undecided));
    }
  }

  private List<MutationOutcome> outcomes(WriteRequest request) throws IOException {
    if (request instanceof Mutation mutation) {
      ShownMutation shown = ShownMutation.of(mutation);
      try (Running single = region.hooks().begin(WriteHooks.operation(shown.shown()))) {
        BatchState done = new HookedBatch(region, List.of(shown), false, 0).run();
        return List.of(new MutationOutcome.Done(Cells.of(done.result(0))));
      }
    } else if (request instanceof WriteRequest.Batch batch) {
      return batch(batch.mutations());
    }
    return List.of(together((WriteRequest.Atomic) request));
  }

  /** Applies independent mutations. Adjacent puts and deletes form one batch of hooks. */
  private List<MutationOutcome> batch(List<Mutation> mutations) throws IOException {
    List<MutationOutcome> outcomes = new ArrayList<>(mutations.size());
    for (int first = 0; first < mutations.size(); ) {
      int end = first + 1;
      while (end < mutations.size() && goTogether(mutations.get(first), mutations.get(end))) {
        end++;
      }
      outcomes.addAll(run(mutations.subList(first, end)));
      first = end;
    }
    return outcomes;
  }

  private static boolean goTogether(Mutation first, Mutation next) {
    return isPlain(first)
        && isPlain(next)
        && ClusterIds.areEqual(first.attributes(), next.attributes());
  }

  private static boolean isPlain(Mutation mutation) {
    return !mutation.kind().isComputed() && !mutation.nonce().isPresent();
  }

  /** Applies mutations in the order of their rows, as HBase's server passes them to a region. */
  private List<MutationOutcome> run(List<Mutation> mutations) throws IOException {
    Integer[] order = new Integer[mutations.size()];
    Arrays.setAll(order, i -> i);
    Arrays.sort(
        order, (a, b) -> Arrays.compareUnsigned(mutations.get(a).row(), mutations.get(b).row()));
    List<ShownMutation> shown = new ArrayList<>(order.length);
    for (int i : order) {
      shown.add(ShownMutation.of(mutations.get(i)));
    }
    MutationOutcome[] outcomes = new MutationOutcome[order.length];
    Operation kind = WriteHooks.operation(shown.get(0).shown());
    boolean isSingle = kind == Operation.INCREMENT || kind == Operation.APPEND;
    try (Running single = isSingle ? region.hooks().begin(kind) : () -> {}) {
      BatchState done = new HookedBatch(region, shown, false, 0).run();
      for (int i = 0; i < order.length; i++) {
        outcomes[order[i]] = done.outcome(i);
      }
    } catch (WalFailedException | RegionFailedException e) {
      throw e;
    } catch (WriteUndecidedException e) {
      Arrays.fill(outcomes, new MutationOutcome.Undecided(e));
    } catch (IOException e) {
      Arrays.fill(outcomes, new MutationOutcome.Refused(e));
    }
    return Arrays.asList(outcomes);
  }

  private MutationOutcome together(WriteRequest.Atomic request) throws IOException {
    List<ShownMutation> shown = shown(request.mutations());
    if (request.conditions().size() == 1
        && request.conditions().get(0).test() instanceof ConditionDecoder.Asked asked) {
      CheckAndMutate check = ShownMutation.checked(asked.message(), shown);
      return outcome(new HookedCheck(region, check, request.conditions().get(0), shown).ofClient());
    }
    if (request.conditions().isEmpty()) {
      return new MutationOutcome.Done(new HookedBatch(region, shown, true, 0).run().results());
    }
    List<byte[]> rows = new ArrayList<>();
    for (Condition condition : request.conditions()) {
      rows.add(condition.read().startRow());
    }
    shown.forEach(mutation -> rows.add(mutation.row()));
    try (SteppedWrite write = region.steps().begin();
        Held held = region.steps().locks().lockAll(rows, Mode.EXCLUSIVE)) {
      OptionalLong newest = write.newestIfAllHold(request.conditions());
      if (newest.isEmpty()) {
        return new MutationOutcome.NotMet();
      }
      return new MutationOutcome.Done(
          new HookedBatch(region, shown, true, newest.getAsLong()).run().results());
    }
  }

  /** Of mutations that are applied together, the number of the first one counts. */
  private static List<ShownMutation> shown(List<Mutation> mutations) {
    List<ShownMutation> shown = new ArrayList<>(mutations.size());
    for (Mutation mutation : mutations) {
      shown.add(ShownMutation.of(shown.isEmpty() ? mutation : mutation.numbered(Nonce.NONE)));
    }
    return shown;
  }

  private static MutationOutcome outcome(CheckAndMutateResult result) throws IOException {
    return result.isSuccess()
        ? new MutationOutcome.Done(Cells.of(result.getResult()))
        : new MutationOutcome.NotMet();
  }
}
