package dev.cairn.coprocessor.write;

import dev.cairn.coprocessor.convert.Cells;
import dev.cairn.coprocessor.convert.ShownMutation;
import dev.cairn.coprocessor.facade.OperationHooks.Running;
import dev.cairn.coprocessor.log.LogEdits;
import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.region.state.WrongRowException;
import dev.cairn.engine.region.steps.ResolvedMutation;
import dev.cairn.engine.region.steps.SteppedWrite;
import dev.cairn.engine.region.write.ConstraintViolationException;
import dev.cairn.engine.region.write.ExplicitRowLocks.Held;
import dev.cairn.engine.region.write.ExplicitRowLocks.Mode;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.StagedWrite;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.server.regionserver.hosted.ReferenceCheck;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.regionserver.Region.Operation;
import org.apache.hadoop.hbase.wal.WALEdit;

/**
 * Applies mutations to a region, and calls their hooks in HBase's order. Two differences: rows are
 * locked exclusively, where HBase locks rows of puts and deletes in shared mode; and {@code
 * postBatchMutate} is called after reads see the write. Used once, by one thread.
 */
final class HookedBatch {
  /**
   * Maximum number of mutations that are locked and logged together, unless the batch is atomic.
   */
  private static final int TOGETHER_MAX = 20_000;

  private final HookedRegionWrites region;
  private final WriteHooks hooks;
  private final boolean isAtomic;
  private final long newest;
  private final BatchState state;
  private final ReferenceCheck.Known known = new ReferenceCheck.Known();
  private final Mutation[] computed; // of increments and appends: the mutations to write
  private final Result[] results; // of increments and appends: the results for the client

  /**
   * Creates a batch.
   *
   * @param isAtomic whether the mutations are applied all or none, with one timestamp
   * @param newest no put of an atomic batch gets an earlier timestamp
   */
  HookedBatch(
      HookedRegionWrites region, List<ShownMutation> mutations, boolean isAtomic, long newest) {
    this.region = region;
    this.hooks = region.hooks();
    this.isAtomic = isAtomic;
    this.newest = newest;
    this.state = new BatchState(mutations);
    this.computed = new Mutation[mutations.size()];
    this.results = new Result[mutations.size()];
  }

  /**
   * Logs more cells with the first mutation.
   *
   * @param others cells for the log alone
   */
  HookedBatch logging(WALEdit others) {
    if (!others.isEmpty()) {
      state.edit(0, others);
    }
    return this;
  }

  /**
   * Applies the mutations, and calls their hooks.
   *
   * @return the status of each
   * @throws IOException if a hook or the region fails; then no mutation is reported as applied
   */
  BatchState run() throws IOException {
    try (Running batch = hooks.begin(Operation.BATCH_MUTATE)) {
      apply();
    }
    return state;
  }

  private void apply() throws IOException {
    int first = 0;
    do {
      try (SteppedWrite write = region.steps().begin()) {
        if (first == 0) {
          before();
        }
        int end = isAtomic ? state.size() : Math.min(state.size(), first + TOGETHER_MAX);
        applySome(write, first, end);
        first = end;
      }
    } while (first < state.size());
  }

  /** Calls the hooks that precede the locks, for all mutations. */
  private void before() throws IOException {
    for (int i = 0; i < state.size(); i++) {
      WALEdit edit = new WALEdit();
      ShownMutation mutation = state.get(i);
      Optional<OperationStatus> bypassed = hooks.before(mutation.shown(), edit);
      if (!edit.isEmpty()) {
        state.edit(i, edit);
      }
      if (bypassed.isPresent()) {
        state.decide(i, bypassed.get());
      } else if (!region.info().contains(mutation.row())) {
        refuse(
            i,
            new WrongRowException(
                "Row "
                    + Bytes.toStringBinary(mutation.row())
                    + " is not in the region "
                    + region.info().regionNameAsString()));
      }
    }
  }

  private void refuse(int i, IOException cause) throws IOException {
    if (isAtomic) {
      throw cause;
    }
    state.refuse(i, cause);
  }

  private void applySome(SteppedWrite write, int first, int end) throws IOException {
    boolean success = false;
    WALEdit logged = null;
    MiniBatchOperationInProgress<org.apache.hadoop.hbase.client.Mutation> view =
        state.view(first, end, 0);
    List<Held> locks = new ArrayList<>();
    try {
      List<byte[]> rows = new ArrayList<>();
      for (int i = first; i < end; i++) {
        if (state.isPending(i)) {
          rows.add(state.get(i).row());
        }
      }
      locks.add(region.steps().locks().lockAll(rows, Mode.EXCLUSIVE));
      if (!rows.isEmpty()) {
        int refused = resolve(write, first, end);
        view = state.view(first, end, rows.size() - refused);
        if (refused < rows.size()) {
          count(view, first, end);
          hooks.preBatchMutate(view);
          logged = stage(write, view, first, end, locks);
          hooks.postBatchMutate(view);
          success = true;
        }
      }
    } finally {
      locks.forEach(Held::close);
      end(view, first, end, logged, success);
    }
  }

  /** Makes the cells of pending mutations final; returns how many the region refuses. */
  private int resolve(SteppedWrite write, int first, int end) throws IOException {
    Resolving listener = new Resolving(hooks);
    if (isAtomic) {
      resolveTogether(write, first, end, listener);
      return 0;
    }
    int refused = 0;
    for (int i = first; i < end; ) {
      if (!state.isPending(i)) {
        i++;
      } else if (state.get(i).kind().isComputed()) {
        if (!bypassedAfterRowLock(i)) {
          refused += resolveEach(write, List.of(i), listener);
        }
        i++;
      } else {
        List<Integer> run = new ArrayList<>();
        while (i < end && !(state.isPending(i) && state.get(i).kind().isComputed())) {
          if (state.isPending(i)) {
            run.add(i);
          }
          i++;
        }
        refused += resolveEach(write, run, listener);
      }
    }
    return refused;
  }

  private boolean bypassedAfterRowLock(int i) throws IOException {
    Optional<OperationStatus> bypassed = hooks.afterRowLock(state.get(i).shown());
    if (bypassed.isEmpty()) {
      return false;
    }
    Result result = state.get(i).returnsResult() ? bypassed.get().getResult() : Result.EMPTY_RESULT;
    state.decide(i, new OperationStatus(OperationStatusCode.SUCCESS, result));
    return true;
  }

  private int resolveEach(SteppedWrite write, List<Integer> indexes, Resolving listener)
      throws IOException {
    List<Mutation> asked = asked(indexes, listener);
    List<ResolvedMutation> resolved = write.resolveEach(asked, listener);
    Map<Integer, ConstraintViolationException> broken = brokenReferences(asked);
    int refused = 0;
    for (int n = 0; n < indexes.size(); n++) {
      int i = indexes.get(n);
      IOException reference = broken.get(n);
      Optional<IOException> refusal =
          resolved.get(n).refusal().or(() -> Optional.ofNullable(reference));
      if (refusal.isPresent()) {
        state.refuse(i, refusal.get());
        refused++;
      } else {
        resolved(i, asked.get(n), resolved.get(n).mutation(), listener);
      }
    }
    return refused;
  }

  private void resolveTogether(SteppedWrite write, int first, int end, Resolving listener)
      throws IOException {
    List<Integer> indexes = new ArrayList<>();
    for (int i = first; i < end; i++) {
      if (state.isPending(i) && !(state.get(i).kind().isComputed() && bypassedAfterRowLock(i))) {
        indexes.add(i);
      }
    }
    List<Mutation> asked = asked(indexes, listener);
    requireReferences(asked);
    List<Mutation> resolved =
        asked.isEmpty() ? List.of() : write.resolveTogether(asked, newest, listener);
    for (int n = 0; n < indexes.size(); n++) {
      resolved(indexes.get(n), asked.get(n), resolved.get(n), listener);
    }
  }

  /**
   * Returns the mutations that refer to rows which other tables do not have, keyed by their
   * positions. May ask other servers, as hooks may at this point.
   */
  private Map<Integer, ConstraintViolationException> brokenReferences(List<Mutation> mutations)
      throws IOException {
    return region.references().isEmpty() || mutations.isEmpty()
        ? Map.of()
        : region.references().get().refused(new WriteRequest.Batch(mutations), known);
  }

  private void requireReferences(List<Mutation> mutations) throws IOException {
    for (ConstraintViolationException broken : brokenReferences(mutations).values()) {
      throw broken;
    }
  }

  private List<Mutation> asked(List<Integer> indexes, Resolving listener) throws IOException {
    List<Mutation> asked = new ArrayList<>(indexes.size());
    for (int i : indexes) {
      Mutation mutation = state.get(i).asked();
      listener.expect(mutation, state.get(i));
      asked.add(mutation);
    }
    return asked;
  }

  private void resolved(int i, Mutation asked, Mutation resolved, Resolving listener)
      throws IOException {
    ShownMutation mutation = state.get(i);
    if (mutation.kind().isComputed()) {
      results[i] =
          mutation.returnsResult()
              ? Result.create(Cells.views(resolved.cells()))
              : Result.EMPTY_RESULT;
      computed[i] = listener.replaced(asked, resolved);
    } else {
      mutation.resolved(resolved);
    }
  }

  private void count(
      MiniBatchOperationInProgress<org.apache.hadoop.hbase.client.Mutation> view,
      int first,
      int end) {
    for (int i = first; i < end; i++) {
      if (state.isPending(i)) {
        switch (state.get(i).kind()) {
          case PUT -> view.incrementNumOfPuts();
          case DELETE -> view.incrementNumOfDeletes();
          case INCREMENT -> view.incrementNumOfIncrements();
          case APPEND -> view.incrementNumOfAppends();
        }
        view.addCellCount(state.get(i).shown().size());
      }
    }
  }

  /**
   * Writes the pending mutations with the changes and additions of hooks, and waits until reads see
   * them.
   *
   * @return the cells of the log for later hooks; null if there are none
   */
  private WALEdit stage(
      SteppedWrite write,
      MiniBatchOperationInProgress<org.apache.hadoop.hbase.client.Mutation> view,
      int first,
      int end,
      List<Held> locks)
      throws IOException {
    List<Mutation> written = new ArrayList<>();
    List<WALEdit> edits = new ArrayList<>();
    for (int i = first; i < end; i++) {
      if (!state.isPending(i)) {
        continue;
      }
      ShownMutation mutation = state.get(i);
      written.add(mutation.kind().isComputed() ? computed[i] : mutation.decided());
      add(mutation, view.getOperationsFromCoprocessors(i - first), locks, written);
      WALEdit edit = state.edit(i);
      if (edit != null
          && !edit.isEmpty()
          && mutation.shown().getDurability() != Durability.SKIP_WAL) {
        edits.add(edit);
      }
    }
    requireReferences(written);
    StagedWrite staged =
        new LogEntry(region.info(), region.schema(), hooks).changed(write.assemble(written), edits);
    write.stage(staged).outcome().cells();
    return staged.logged().isEmpty() || !hooks.hasAfter() ? null : LogEdits.edit(staged.logged());
  }

  /** Adds the mutations that hooks have added to a mutation, and locks their rows. */
  private void add(
      ShownMutation mutation,
      org.apache.hadoop.hbase.client.Mutation[] added,
      List<Held> locks,
      List<Mutation> written)
      throws IOException {
    if (added == null) {
      return;
    }
    for (org.apache.hadoop.hbase.client.Mutation other : added) {
      if (!region.info().contains(other.getRow())) {
        throw new DoNotRetryIOException(
            "A coprocessor added a mutation of a row that is not in the region: " + other);
      }
      Mutation own = mutation.added(other, region.schema());
      locks.add(region.steps().locks().lock(other.getRow(), Mode.EXCLUSIVE));
      written.add(own);
      mutation.merge(other);
    }
  }

  /** Sets the status of pending mutations, and calls the hooks that follow the locks. */
  private void end(
      MiniBatchOperationInProgress<org.apache.hadoop.hbase.client.Mutation> view,
      int first,
      int end,
      WALEdit logged,
      boolean success)
      throws IOException {
    for (int i = first; i < end; i++) {
      if (state.isPending(i)) {
        state.decide(
            i,
            !success
                ? OperationStatus.FAILURE
                : results[i] == null
                    ? OperationStatus.SUCCESS
                    : new OperationStatus(OperationStatusCode.SUCCESS, results[i]));
      }
    }
    for (int i = first; i < end; i++) {
      OperationStatus status = state.status(i);
      if (status.getOperationStatusCode() == OperationStatusCode.SUCCESS) {
        Result result = hooks.after(state.get(i).shown(), status.getResult(), logged);
        if (result != status.getResult()) {
          state.decide(i, new OperationStatus(OperationStatusCode.SUCCESS, result));
        }
      }
    }
    hooks.postBatchMutateIndispensably(view, success);
  }
}
