package dev.cairn.engine.region;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.compile.CompiledApart;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.region.feed.RegionFeed;
import dev.cairn.engine.region.read.RegionReader;
import dev.cairn.engine.region.state.Mvcc;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.region.state.RegionFailedException;
import dev.cairn.engine.region.state.RegionSettings;
import dev.cairn.engine.region.state.RegionStores;
import dev.cairn.engine.region.write.HookedWrite;
import dev.cairn.engine.region.write.InvalidMutationException;
import dev.cairn.engine.region.write.MemStoreRoom;
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
import dev.cairn.engine.region.write.TimestampAllocator;
import dev.cairn.engine.region.write.WouldWaitException;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteCompletion;
import dev.cairn.engine.region.write.WriteHook;
import dev.cairn.engine.region.write.WriteMemory;
import dev.cairn.engine.region.write.WriteReads;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.region.write.WriteRequest.Condition;
import dev.cairn.engine.region.write.WriteStaging;
import dev.cairn.engine.region.write.WriteUndecidedException;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.WalFailedException;
import dev.cairn.engine.wal.file.ClusterIds;
import dev.cairn.engine.wal.file.Nonce;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.ToLongFunction;

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

  private final RegionReader reader;
  private final Clock clock;
  private final RowLocks rows;
  private final TimestampAllocator times;
  private final MutationCheck check;
  private final MutationResolver resolver;
  private final Durability defaultDurability;
  private final MemoryAccount memory;
  private final MemStoreRoom room;
  private final WriteHook hook;
  private final WriteStaging staging;
  private final WriteCompletion completion;

  private static final OptionalLong NOTHING_FOUND = OptionalLong.of(0);

  /** Stands for no cells; nobody changes it. */
  private final CellBuffer none = new CellBuffer(0, 0);

  RegionWriter(
      RegionInfo info,
      RegionStores stores,
      RegionReader reader,
      Mvcc mvcc,
      RegionContext context,
      Lock updates,
      RegionSettings settings,
      boolean readOnly,
      Durability defaultDurability,
      long firstMillis,
      Optional<RegionFeed> feed) {
    Wal wal = context.wal();
    this.reader = reader;
    this.clock = context.stores().clock();
    this.rows = new RowLocks(settings.rowLockWaitMillis(), firstMillis, clock);
    this.times = new TimestampAllocator(clock);
    this.check = new MutationCheck(info, stores, readOnly, settings, clock);
    this.resolver = new MutationResolver(stores, check);
    this.defaultDurability = defaultDurability;
    this.memory = context.memory();
    this.room = context.room();
    this.hook = context.hook();
    this.completion = new WriteCompletion(info, mvcc, wal);
    this.staging = new WriteStaging(info, stores, mvcc, wal, updates, completion, feed);
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
      return single(request, budget);
    } catch (WouldWaitException e) {
      return PendingWrite.WOULD_WAIT;
    }
  }

  /** Begins a write that goes only to the log, for the log's readers. */
  PendingWrite log(CellBuffer marker) throws IOException {
    return staging.stage(
        new WriteStaging.Change(
            none,
            marker,
            Durability.SYNC_WAL,
            Nonce.NONE,
            none,
            clock.currentTimeMillis(),
            List.of()),
        WriteBudget.UNLIMITED);
  }

  /** Begins a checked write under one number. */
  private PendingWrite single(WriteRequest request, WriteBudget budget) throws IOException {
    if (hook != WriteHook.NONE && !budget.mayWait()) {
      throw WouldWaitException.INSTANCE;
    }
    checkBudget(request, budget);
    int[] stripes = request.stripes();
    try (WriteMemory taken = new WriteMemory(memory, room)) {
      while (true) {
        try (RowLocks.Held held = rows.lock(stripes, budget)) {
          taken.reserve(request.memStoreBytes());
          return begin(request, held, budget, taken);
        } catch (MoreRows more) {
          stripes = more.stripes; // all locks are taken in one order: no deadlock
        }
      }
    } catch (InvalidMutationException e) {
      return completion.ofReads(new MutationOutcome.Refused(e));
    } catch (MemoryShortageException e) {
      throw new RegionBusyException(e.getMessage());
    }
  }

  private PendingWrite begin(
      WriteRequest request, RowLocks.Held held, WriteBudget budget, WriteMemory taken)
      throws IOException {
    try {
      WriteReads reads = new WriteReads(reader, clock, budget, taken);
      OptionalLong newest = newestIfAllHold(request.conditions(), reads);
      if (newest.isEmpty()) {
        return completion.ofReads(new MutationOutcome.NotMet());
      }
      if (hook == WriteHook.NONE) {
        return apply(request, held, budget, reads, newest.getAsLong(), taken);
      }
      return applyHooked(request, held, budget, reads, newest.getAsLong(), taken);
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

  /** Applies a request whose conditions hold, as the hook changed it. */
  private PendingWrite applyHooked(
      WriteRequest request,
      RowLocks.Held held,
      WriteBudget budget,
      WriteReads reads,
      long newest,
      WriteMemory taken)
      throws IOException {
    Optional<WriteRequest.Atomic> changed = askHook(request);
    if (changed.isEmpty()) {
      return new HookedWrite(apply(request, held, budget, reads, newest, taken), hook, request);
    }
    WriteRequest.Atomic instead = changed.get();
    if (!held.covers(instead.stripes())) {
      throw new MoreRows(held.with(instead.stripes()));
    }
    taken.reserve(instead.memStoreBytes());
    return new HookedWrite(
        together(instead.mutations(), Origin.of(request), held, budget, reads, newest, taken),
        hook,
        instead);
  }

  /** Returns the request as the hook changed it; empty if the hook did not change it. */
  private Optional<WriteRequest.Atomic> askHook(WriteRequest request) throws IOException {
    try {
      Optional<WriteRequest.Atomic> changed =
          hook.underLocks(request).map(WriteRequest.Atomic::new);
      if (changed.isPresent() && !changed.get().mutations().isEmpty()) {
        check(changed.get());
      }
      return changed;
    } catch (IOException e) {
      if (request instanceof WriteRequest.Batch) {
        throw new RunRefusedException(e);
      }
      if (request instanceof PutBatch) { // its caller applies the puts one by one
        throw new InvalidMutationException("A hook refuses a put: " + e.getMessage());
      }
      throw e;
    }
  }

  /** The hook refuses a part of a batch: each mutation of it begins alone. */
  private static final class RunRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    RunRefusedException(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }

  /** A hook has added rows that are not locked: the write begins again with all locks. */
  private static final class MoreRows extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final int[] stripes;

    MoreRows(int[] stripes) {
      super("a hook has added rows", null, false, false);
      this.stripes = stripes;
    }
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
    long begunNanos = clock.nanoTime();
    boolean begun = false;
    try {
      List<Mutation> run = new ArrayList<>();
      for (int i = 0; i < batch.size(); i++) {
        Mutation mutation = batch.get(i);
        Optional<PendingWrite> refused = outcomeOfCheck(mutation);
        if (refused.isPresent()) {
          pending.add(i, refused.get());
        } else if (mutation.kind().isComputed()) {
          addRun(pending, run, i, budget);
          begunNanos = settledIfLate(pending, begunNanos, budget);
          pending.add(i, begun(() -> single(mutation, budget)));
        } else {
          if (!run.isEmpty()
              && !ClusterIds.areEqual(run.get(0).attributes(), mutation.attributes())) {
            addRun(pending, run, i, budget);
            begunNanos = settledIfLate(pending, begunNanos, budget);
          }
          run.add(mutation);
        }
      }
      addRun(pending, run, batch.size(), budget);
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

  private void addRun(PendingBatch pending, List<Mutation> run, int end, WriteBudget budget)
      throws IOException {
    if (run.isEmpty()) {
      return;
    }
    WriteRequest together = run.size() == 1 ? run.get(0) : new WriteRequest.Batch(List.copyOf(run));
    try {
      pending.addRun(end, begun(() -> single(together, budget)));
    } catch (RunRefusedException e) {
      int index = 0;
      long begunNanos = clock.nanoTime();
      for (Mutation mutation : run) {
        begunNanos = settledIfLate(pending, begunNanos, budget);
        index = pending.nextWithoutWrite(index);
        pending.add(index, begun(() -> single(mutation, budget)));
      }
    }
    run.clear();
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
    } catch (WalFailedException | RegionFailedException | RunRefusedException e) {
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

  /**
   * Returns the newest timestamp that a condition came upon, 0 if there was no cell; nothing if one
   * does not hold. The conditions' rows are locked.
   */
  private static OptionalLong newestIfAllHold(List<Condition> conditions, WriteReads reads)
      throws IOException {
    if (conditions.isEmpty()) {
      return NOTHING_FOUND;
    }
    long newest = 0;
    for (Condition condition : conditions) {
      CellBuffer found = reads.read(condition.read().toBuilder().readUncommitted(true).build());
      Optional<Cell> first = found.isEmpty() ? Optional.empty() : Optional.of(found.get(0));
      if (!condition.test().holds(first)) {
        return OptionalLong.empty();
      }
      newest = Math.max(newest, first.map(Cell::timestamp).orElse(0L));
    }
    return OptionalLong.of(newest);
  }

  /** Reserves memory for all cells of a change and stages it. The rows are locked. */
  private PendingWrite stage(WriteStaging.Change change, WriteBudget budget, WriteMemory taken)
      throws IOException {
    taken.reserve(WriteRequest.memStoreBytes(change.cells()));
    PendingWrite staged = staging.stage(change, budget);
    taken.added();
    return staged;
  }

  @CompiledApart("resolves the cells of a row's write")
  private WriteStaging.Change resolved(
      Mutation mutation, RowLocks.Held held, WriteBudget budget, WriteReads reads)
      throws IOException {
    CellBuffer cells = resolver.resolve(mutation, times.alone(held, mutation, budget), reads);
    return new WriteStaging.Change(
        cells,
        skipsLog(mutation) ? none : cells,
        durability(mutation.durability()),
        mutation.nonce(),
        mutation.returnResult() ? cells : none,
        clock.currentTimeMillis(),
        ClusterIds.of(mutation.attributes()));
  }

  private WriteStaging.Change resolved(PutBatch puts, RowLocks.Held held, WriteBudget budget) {
    CellBuffer cells = puts.cells();
    long now = clock.currentTimeMillis();
    for (int put = 0, i = 0; put < puts.size(); put++) {
      long time = times.onePutOfMany(held, put, budget);
      for (; i < puts.ends()[put]; i++) {
        cells.stamp(i, time);
      }
    }
    Durability durability = durability(puts.durability());
    CellBuffer logged = durability == Durability.SKIP_WAL ? none : cells;
    return new WriteStaging.Change(cells, logged, durability, Nonce.NONE, none, now, List.of());
  }

  private WriteStaging.Change resolved(
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
    return new WriteStaging.Change(
        cells,
        logged(mutations, cells),
        durability(mutations),
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

  /** Returns those of {@code cells}, the mutations' in their order, that are for the log. */
  private CellBuffer logged(List<Mutation> mutations, CellBuffer cells) {
    boolean all = true;
    for (Mutation mutation : mutations) {
      all &= !skipsLog(mutation);
    }
    if (all) {
      return cells;
    }
    CellBuffer logged = new CellBuffer(0, 0);
    int at = 0;
    for (Mutation mutation : mutations) {
      // A mutation resolves to as many cells as it has, because an empty one has been filled in by
      // now.
      int end = at + mutation.cells().size();
      if (!skipsLog(mutation)) {
        logged.addAll(cells, at, end);
      }
      at = end;
    }
    return logged;
  }

  private boolean skipsLog(Mutation mutation) {
    return durability(mutation.durability()) == Durability.SKIP_WAL;
  }

  private Durability durability(Durability asked) {
    return asked == Durability.USE_DEFAULT ? defaultDurability : asked;
  }

  private Durability durability(List<Mutation> mutations) {
    Durability strongest = Durability.SKIP_WAL;
    for (Mutation mutation : mutations) {
      Durability own = durability(mutation.durability());
      strongest = own.compareTo(strongest) > 0 ? own : strongest;
    }
    return strongest;
  }
}
