package dev.cairn.engine.region;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.compile.CompiledApart;
import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.region.state.RegionFailedException;
import dev.cairn.engine.region.write.ExplicitRowLocks;
import dev.cairn.engine.region.write.ExplicitRowLocks.Patience;
import dev.cairn.engine.region.write.InvalidMutationException;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.Mutation.Durability;
import dev.cairn.engine.region.write.Mutation.Kind;
import dev.cairn.engine.region.write.MutationCheck;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.MutationResolver;
import dev.cairn.engine.region.write.PendingBatch;
import dev.cairn.engine.region.write.PendingWrite;
import dev.cairn.engine.region.write.PutBatch;
import dev.cairn.engine.region.write.RowLocks;
import dev.cairn.engine.region.write.StagedWrite;
import dev.cairn.engine.region.write.TimestampAllocator;
import dev.cairn.engine.region.write.WouldWaitException;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteCompletion;
import dev.cairn.engine.region.write.WriteDurability;
import dev.cairn.engine.region.write.WriteMemory;
import dev.cairn.engine.region.write.WriteParts;
import dev.cairn.engine.region.write.WriteReads;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.region.write.WriteRequest.Condition;
import dev.cairn.engine.region.write.WriteStaging;
import dev.cairn.engine.region.write.WriteUndecidedException;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.WalFailedException;
import dev.cairn.engine.wal.file.ClusterIds;
import dev.cairn.engine.wal.file.Nonce;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * The writing side of a region.
 *
 * <p>A write locks its rows, resolves its cells, takes its number, queues its log entry, adds its
 * cells to the memstores and unlocks the rows. Then it has begun. When its log entry is durable, it
 * completes and becomes visible ({@link PendingWrite}). It takes the number and queues the entry
 * under one short lock, so the entries of a region have the order of their numbers in the log. A
 * later write to the same row may build on cells that are not durable yet; the log keeps the order,
 * so it cannot become durable before them.
 *
 * <p>If the log stalls, waiting callers get a {@link WriteUndecidedException}: the change stays
 * where it is, unseen, and completes when the log continues.
 *
 * <p>If the log fails, or a memstore half-way through a change, nothing that waits is acknowledged
 * or ever visible, and neither is anything after it.
 */
public final class RegionWriter {
  /**
   * The maximum time for which parts of a batch stay incomplete while later parts read files or
   * wait for rows. Until they are complete, no later write of the region becomes visible.
   */
  private static final long BATCH_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(10);

  /** The maximum memory that a batch reserves at once, before its cells exist, bytes. */
  private static final long MAX_ROOM_BYTES = 64L << 20;

  private final WriteParts parts;
  private final RowLocks rows;
  private final ExplicitRowLocks explicit; // null if the region does not offer its writes in steps
  private final TimestampAllocator times;
  private final MutationCheck check;
  private final MutationResolver resolver;
  private final WriteDurability durability;
  private final WriteStaging staging;
  private final WriteCompletion completion;
  private final Clock clock;

  /** Stands for no cells; nobody changes it. */
  private final CellBuffer none = new CellBuffer(0, 0);

  RegionWriter(WriteParts parts) {
    this.parts = parts;
    this.rows = parts.rows();
    this.explicit = parts.explicit().orElse(null);
    this.times = parts.times();
    this.check = parts.check();
    this.resolver = parts.resolver();
    this.durability = parts.durability();
    this.staging = parts.staging();
    this.completion = parts.completion();
    this.clock = parts.clock();
  }

  /**
   * Begins a write, unless it must not wait and would have to.
   *
   * @throws IOException if it is refused as a whole; nothing is done then
   */
  PendingWrite write(WriteRequest request, WriteBudget budget) throws IOException {
    try {
      if (request instanceof WriteRequest.Batch batch) {
        return batch(batch.mutations(), budget);
      }
      check(request);
      PendingWrite begun = single(request, budget);
      if (begun != PendingWrite.WOULD_WAIT || !budget.mayWait()) {
        return begun;
      }
      if (request instanceof PutBatch puts) {
        throw new InvalidMutationException(
            "A row of "
                + puts.size()
                + " puts is locked for a write in several steps, so none is done");
      }
      return afterLockers(request, budget, explicit.patience());
    } catch (WouldWaitException e) {
      return PendingWrite.WOULD_WAIT;
    }
  }

  /** Begins a write that goes only to the log, for the log's readers. */
  PendingWrite log(CellBuffer marker) throws IOException {
    return staging.stage(
        new StagedWrite(
            none,
            marker,
            Durability.SYNC_WAL,
            Nonce.NONE,
            none,
            clock.currentTimeMillis(),
            List.of()),
        WriteBudget.UNLIMITED);
  }

  /**
   * Begins a checked write under one number.
   *
   * @return {@link PendingWrite#WOULD_WAIT} if a thread has locked one of the rows explicitly; then
   *     nothing is done
   */
  private PendingWrite single(WriteRequest request, WriteBudget budget) throws IOException {
    checkBudget(request, budget);
    int[] stripes = request.stripes();
    try (WriteMemory taken = new WriteMemory(parts.memory(), parts.room());
        RowLocks.Held held = rows.lock(stripes, budget)) {
      if (explicit == null) {
        return begin(request, held, budget, taken);
      }
      if (!explicit.admits(request)) {
        return PendingWrite.WOULD_WAIT;
      }
      PendingWrite begun = begin(request, held, budget, taken);
      explicit.staged(stripes);
      return begun;
    } catch (InvalidMutationException e) {
      return completion.ofReads(new MutationOutcome.Refused(e));
    } catch (MemoryShortageException e) {
      throw new RegionBusyException(e.getMessage());
    }
  }

  /**
   * Begins a write after threads that have locked its rows explicitly. It locks them in the same
   * way, so that it has its turn. This thread must have joined all that it has begun.
   */
  private PendingWrite afterLockers(WriteRequest request, WriteBudget budget, Patience patience)
      throws IOException {
    while (true) { // again if another thread has released a row that this one held before
      try (ExplicitRowLocks.Held held = explicit.lockFor(request, patience)) {
        PendingWrite begun = single(request, budget);
        if (begun != PendingWrite.WOULD_WAIT) {
          return begun;
        }
      }
    }
  }

  private PendingWrite begin(
      WriteRequest request, RowLocks.Held held, WriteBudget budget, WriteMemory taken)
      throws IOException {
    try {
      taken.reserve(request.memStoreBytes());
      WriteReads reads = new WriteReads(parts.reader(), clock, budget, taken);
      OptionalLong newest = reads.newestIfAllHold(request.conditions());
      if (newest.isEmpty()) {
        return completion.ofReads(new MutationOutcome.NotMet());
      }
      return apply(request, held, budget, reads, newest.getAsLong(), taken);
    } catch (WouldWaitException e) {
      held.takeBackTimes();
      throw e;
    }
  }

  /** Applies a request whose conditions hold. */
  private PendingWrite apply(
      WriteRequest request,
      RowLocks.Held held,
      WriteBudget budget,
      WriteReads reads,
      long newest,
      WriteMemory taken)
      throws IOException {
    if (request instanceof Mutation mutation) {
      return stage(resolved(mutation, held, budget, reads), budget, taken);
    }
    if (request instanceof PutBatch puts) {
      return stage(resolved(puts, held, budget), budget, taken);
    }
    if (request instanceof WriteRequest.Batch run) {
      ToLongFunction<Mutation> time = mutation -> times.oneOfMany(held, mutation, budget);
      return stage(resolved(run.mutations(), Origin.of(run), time, reads), budget, taken);
    }
    List<Mutation> mutations = ((WriteRequest.Atomic) request).mutations();
    return together(mutations, Origin.of(request), held, budget, reads, newest, taken);
  }

  /** Throws if the region refuses the content of the request. */
  private void check(WriteRequest request) throws IOException {
    if (request instanceof Mutation mutation) {
      check.check(mutation);
    } else if (request instanceof PutBatch puts) {
      check.check(puts);
    } else if (request instanceof WriteRequest.Atomic atomic) {
      for (Mutation mutation : atomic.mutations()) {
        check.check(mutation);
      }
      for (Condition condition : request.conditions()) {
        check.row(condition.read().startRow());
      }
      if (atomic.conditions().isEmpty() && atomic.mutations().isEmpty()) {
        throw new InvalidMutationException("There is nothing to write");
      }
    }
  }

  /** Throws if the request is more work than the budget allows. */
  private static void checkBudget(WriteRequest request, WriteBudget budget) {
    if (budget.mayWait()) {
      return;
    }
    boolean isLittle = request.cellCount() <= budget.cellsMax();
    if (request instanceof Mutation mutation) {
      isLittle &= MutationResolver.readsLittle(mutation, budget.readCellsMax());
    } else if (request instanceof WriteRequest.Atomic atomic) {
      for (Mutation mutation : atomic.mutations()) {
        isLittle &= MutationResolver.readsLittle(mutation, budget.readCellsMax());
      }
    }
    if (!isLittle) {
      throw WouldWaitException.INSTANCE;
    }
  }

  /**
   * Begins independent mutations; neighbouring puts and deletes that have passed the same clusters
   * share one log entry. If the budget does not allow waiting, several mutations do not begin at
   * all, because only some of them might have to wait.
   */
  private PendingWrite batch(List<Mutation> batch, WriteBudget budget) throws IOException {
    if (!budget.mayWait() && batch.size() > 1) {
      return PendingWrite.WOULD_WAIT;
    }
    PendingBatch pending = new PendingBatch(batch.size(), completion.requestSync());
    Patience patience = explicit == null ? null : explicit.patience();
    long begunNanos = clock.nanoTime();
    boolean begun = false;
    try {
      List<Mutation> run = new ArrayList<>();
      for (int i = 0; i < batch.size(); i++) {
        Mutation mutation = batch.get(i);
        Optional<PendingWrite> refused = outcomeOfCheck(mutation);
        if (refused.isPresent()) {
          pending.add(i, refused.get());
        } else if (mutation.kind().isComputed() || check.needsRow(mutation)) {
          addRun(pending, run, i, budget, patience);
          begunNanos = settledIfLate(pending, begunNanos, budget);
          pending.add(i, part(mutation, pending, budget, patience));
        } else {
          if (!run.isEmpty()
              && !ClusterIds.areEqual(run.get(0).attributes(), mutation.attributes())) {
            addRun(pending, run, i, budget, patience);
            begunNanos = settledIfLate(pending, begunNanos, budget);
          }
          run.add(mutation);
        }
      }
      addRun(pending, run, batch.size(), budget, patience);
      begun = true;
      return pending;
    } finally {
      if (!begun) {
        pending.abandon();
      }
    }
  }

  private Optional<PendingWrite> outcomeOfCheck(Mutation mutation) {
    try {
      check.check(mutation);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(refused(e));
    }
  }

  private void addRun(
      PendingBatch pending, List<Mutation> run, int end, WriteBudget budget, Patience patience)
      throws IOException {
    if (run.isEmpty()) {
      return;
    }
    if (run.size() == 1) {
      pending.addRun(end, part(run.get(0), pending, budget, patience));
    } else {
      WriteRequest together = new WriteRequest.Batch(List.copyOf(run));
      PendingWrite begun = begun(() -> single(together, budget));
      if (begun == PendingWrite.WOULD_WAIT) {
        addApart(pending, run, end, budget, patience);
      } else {
        pending.addRun(end, begun);
      }
    }
    run.clear();
  }

  /**
   * Begins the mutations of a run that has rows which are locked explicitly. The mutations of all
   * other rows begin at once. It waits for one locked row at a time, and holds no other row
   * meanwhile.
   */
  private void addApart(
      PendingBatch pending, List<Mutation> run, int end, WriteBudget budget, Patience patience)
      throws IOException {
    List<Integer> ofBatch = pending.withoutWrite(end);
    List<Integer> left = IntStream.range(0, run.size()).boxed().toList();
    while (!left.isEmpty()) {
      List<Integer> free = left.stream().filter(i -> explicit.admits(run.get(i))).toList();
      PendingWrite begun = PendingWrite.WOULD_WAIT;
      if (!free.isEmpty()) {
        WriteRequest together = together(run, free);
        begun = begun(() -> single(together, budget));
      }
      if (begun == PendingWrite.WOULD_WAIT) { // all are locked, or one has been locked meanwhile
        byte[] row = run.get(left.get(0)).row();
        free = left.stream().filter(i -> Arrays.equals(run.get(i).row(), row)).toList();
        WriteRequest together = together(run, free);
        pending.settle();
        begun = begun(() -> afterLockers(together, budget, patience));
      }
      pending.add(free.stream().map(ofBatch::get).toList(), begun);
      Set<Integer> done = new HashSet<>(free);
      left = left.stream().filter(i -> !done.contains(i)).toList();
    }
  }

  private static WriteRequest together(List<Mutation> run, List<Integer> some) {
    return new WriteRequest.Batch(some.stream().map(run::get).toList());
  }

  /**
   * Completes the writes of a batch if the first began too long ago: they hold up those of others.
   *
   * @return when the oldest write began that is not complete
   */
  private long settledIfLate(PendingBatch pending, long begunNanos, WriteBudget budget)
      throws IOException {
    if (!budget.mayWait() || clock.nanoTime() - begunNanos <= BATCH_NANOS_MAX) {
      return begunNanos;
    }
    pending.settle();
    return clock.nanoTime();
  }

  /**
   * Begins a part of a batch. Before it waits for rows that are locked explicitly, the parts before
   * it complete: whoever holds the rows may wait for them to become visible.
   */
  private PendingWrite part(
      WriteRequest part, PendingBatch before, WriteBudget budget, Patience patience)
      throws IOException {
    PendingWrite begun = begun(() -> single(part, budget));
    if (begun != PendingWrite.WOULD_WAIT) {
      return begun;
    }
    if (!budget.mayWait()) {
      throw WouldWaitException.INSTANCE;
    }
    before.settle();
    return begun(() -> afterLockers(part, budget, patience));
  }

  /** Begins a part of a batch. */
  private interface Beginning {
    PendingWrite begin() throws IOException;
  }

  /**
   * Begins a part of a batch. A failure, such as a locked row or an unreadable file, becomes the
   * outcome of this part alone.
   */
  private static PendingWrite begun(Beginning part) throws IOException {
    try {
      return part.begin();
    } catch (WalFailedException | RegionFailedException e) {
      throw e;
    } catch (IOException e) {
      return refused(e);
    }
  }

  private static PendingWrite refused(IOException cause) {
    return PendingWrite.of(List.of(new MutationOutcome.Refused(cause)));
  }

  /**
   * Begins mutations under one number.
   *
   * @param origin the origin of the request that they make up
   * @param newest the newest timestamp that their conditions came upon
   */
  private PendingWrite together(
      List<Mutation> mutations,
      Origin origin,
      RowLocks.Held held,
      WriteBudget budget,
      WriteReads reads,
      long newest,
      WriteMemory taken)
      throws IOException {
    if (mutations.isEmpty()) {
      return completion.ofReads(new MutationOutcome.Done(none));
    }
    // If the clock was set back, a put must still come before the cells that it is based on.
    long time = times.together(held, mutations, budget);
    long timeOfPuts = Math.max(time, newest);
    return stage(
        resolved(
            mutations, origin, mutation -> mutation.kind() == Kind.PUT ? timeOfPuts : time, reads),
        budget,
        taken);
  }

  /** Reserves memory for all cells of a change and stages it. The rows are locked. */
  private PendingWrite stage(StagedWrite change, WriteBudget budget, WriteMemory taken)
      throws IOException {
    taken.reserve(WriteRequest.memStoreBytes(change.cells()));
    PendingWrite staged = staging.stage(change, budget);
    taken.added();
    return staged;
  }

  @CompiledApart("resolves the cells of a row's write")
  private StagedWrite resolved(
      Mutation mutation, RowLocks.Held held, WriteBudget budget, WriteReads reads)
      throws IOException {
    CellBuffer cells = resolver.resolve(mutation, times.alone(held, mutation, budget), reads);
    check.rows(cells, reads);
    return new StagedWrite(
        cells,
        durability.skipsLog(mutation) ? none : cells,
        durability.of(mutation.durability()),
        mutation.nonce(),
        mutation.returnResult() ? cells : none,
        clock.currentTimeMillis(),
        ClusterIds.of(mutation.attributes()));
  }

  private StagedWrite resolved(PutBatch puts, RowLocks.Held held, WriteBudget budget) {
    CellBuffer cells = puts.cells();
    long now = clock.currentTimeMillis();
    for (int put = 0, i = 0; put < puts.size(); put++) {
      long time = times.onePutOfMany(held, put, budget);
      for (; i < puts.ends()[put]; i++) {
        cells.stamp(i, time);
      }
    }
    Durability required = durability.of(puts.durability());
    CellBuffer logged = required == Durability.SKIP_WAL ? none : cells;
    return new StagedWrite(cells, logged, required, Nonce.NONE, none, now, List.of());
  }

  private StagedWrite resolved(
      List<Mutation> mutations, Origin origin, ToLongFunction<Mutation> times, WriteReads reads)
      throws IOException {
    long now = clock.currentTimeMillis();
    CellBuffer result = new CellBuffer(0, 0);
    CellBuffer cells = null;
    for (Mutation mutation : mutations) {
      CellBuffer resolved = resolver.resolve(mutation, times.applyAsLong(mutation), reads);
      if (mutation.returnResult()) {
        result.addAll(resolved);
      }
      cells = mutations.size() == 1 ? resolved : joined(cells, resolved, mutations);
    }
    check.rows(cells, reads);
    return new StagedWrite(
        cells,
        durability.logged(mutations, cells),
        durability.strongest(mutations),
        origin.nonce(),
        result.sorted(CellComparator.USER),
        now,
        origin.clusterIds());
  }

  /**
   * The origin of a request, as the log keeps it.
   *
   * @param nonce the number of its first mutation
   * @param clusterIds the clusters that its first mutation passed
   */
  private record Origin(Nonce nonce, List<UUID> clusterIds) {
    static Origin of(WriteRequest request) {
      Nonce nonce = Nonce.NONE;
      if (request instanceof Mutation mutation) {
        nonce = mutation.nonce();
      } else if (request instanceof WriteRequest.Atomic atomic && !atomic.mutations().isEmpty()) {
        nonce = atomic.mutations().get(0).nonce();
      }
      return new Origin(
          nonce, request.mutationCount() == 0 ? List.of() : ClusterIds.of(request.attributes(0)));
    }
  }

  private static CellBuffer joined(CellBuffer cells, CellBuffer more, List<Mutation> mutations) {
    CellBuffer all = cells == null ? roomFor(mutations) : cells;
    all.addAll(more);
    return all;
  }

  private static CellBuffer roomFor(List<Mutation> mutations) {
    long bytes = 0;
    int count = 0;
    for (Mutation mutation : mutations) {
      bytes += mutation.cells().byteSize();
      count += mutation.cells().size();
    }
    return new CellBuffer((int) Math.min(bytes, MAX_ROOM_BYTES), count);
  }
}
