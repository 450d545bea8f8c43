package dev.cairn.engine.region;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.region.Mutation.Durability;
import dev.cairn.engine.region.Mutation.Kind;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.Nonce;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.WalFailedException;
import dev.cairn.engine.wal.WalStalledException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.ToLongFunction;

/**
 * The writing side of a region.
 *
 * <p>A write locks its rows, resolves its cells, takes its number, queues its log entry and adds
 * its cells to the memstores; then it lets go of the rows, waits for the log, and completes, which
 * makes it visible. Taking the number and queueing the entry happen under one short lock, so that a
 * region's entries stand in the log in the order of their numbers. A later write to the same row
 * may build on cells that are not safe yet; the log keeps the order, so it cannot become safe
 * before them.
 *
 * <p>If the log stalls, whoever waits for it is sent away with a {@link WriteUndecidedException}:
 * the change stays where it is, unseen, and completes when the log goes on.
 *
 * <p>If the log fails, or a memstore half-way through a change, nothing that waits is acknowledged
 * or ever visible, and neither is anything after it.
 */
final class RegionWriter {
  /** How much memory a batch is given at once, before its cells are there. */
  private static final long MAX_ROOM_BYTES = 64L << 20;

  /** What a read takes at most on a thread that must not wait; most take a hundredth of it. */
  private static final long QUICK_READ_NANOS = TimeUnit.MICROSECONDS.toNanos(300);

  /** What the cells are long at most that a mutation reads there, all together. */
  private static final long QUICK_READ_BYTES = 64 << 10;

  /** How many cells a mutation has at most that reads there. */
  private static final int QUICK_READ_CELLS = 32;

  /**
   * How many cells any mutation has at most there: each takes about a microsecond to find place.
   */
  private static final int QUICK_WRITE_CELLS = 1000;

  private final RegionReader reader;
  private final Clock clock;
  private final RowLocks rows;
  private final RowTimes times;
  private final MutationCheck check;
  private final MutationResolver resolver;
  private final Durability defaultDurability;
  private final MemoryAccount memory;
  private final WriteStaging staging;
  private final WriteCompletion completion;

  /** Stands for no cells; nobody changes it. */
  private final CellBuffer none = new CellBuffer(0, 0);

  RegionWriter(
      RegionInfo info,
      RegionStores stores,
      RegionReader reader,
      Mvcc mvcc,
      RegionEnvironment environment,
      Lock updates,
      RegionSettings settings,
      boolean readOnly,
      Durability defaultDurability,
      long firstMillis) {
    Wal wal = environment.wal();
    this.reader = reader;
    this.clock = environment.stores().clock();
    this.rows = new RowLocks(settings.rowLockWaitMillis(), firstMillis);
    this.times = new RowTimes(clock);
    this.check = new MutationCheck(info, stores, readOnly, settings, clock);
    this.resolver = new MutationResolver(stores, reader, check, environment.room());
    this.defaultDurability = defaultDurability;
    this.memory = environment.memory();
    this.staging = new WriteStaging(info, stores, mvcc, wal, updates);
    this.completion = new WriteCompletion(info, mvcc, wal);
  }

  /** Applies mutations each on its own; neighbouring puts and deletes share one log entry. */
  List<MutationOutcome> write(List<Mutation> batch) throws IOException {
    MutationOutcome[] outcomes = new MutationOutcome[batch.size()];
    List<Mutation> run = new ArrayList<>();
    for (int i = 0; i < outcomes.length; i++) {
      Mutation mutation = batch.get(i);
      try {
        check.check(mutation);
        if (mutation.kind() == Kind.PUT || mutation.kind() == Kind.DELETE) {
          run.add(mutation);
        } else {
          writeRun(run, outcomes, i);
          outcomes[i] = compute(mutation);
        }
      } catch (WriteUndecidedException e) {
        outcomes[i] = new MutationOutcome.Undecided(e);
      } catch (InvalidMutationException
          | NoSuchFamilyException
          | WrongRowException
          | WalStalledException
          | RegionBusyException e) {
        outcomes[i] = new MutationOutcome.Refused(e);
      }
    }
    writeRun(run, outcomes, outcomes.length);
    return List.of(outcomes);
  }

  /**
   * Applies an increment or append. That it could not be staged, as where a file cannot be read, is
   * no reason to forget what became of the rest of the batch.
   */
  private MutationOutcome compute(Mutation mutation) throws IOException {
    try (WriteMemory read = new WriteMemory(memory)) {
      StagedWrite staged;
      try {
        staged = stage(List.of(mutation), true, read);
      } catch (WalFailedException | RegionFailedException e) {
        throw e;
      } catch (IOException e) {
        return new MutationOutcome.Refused(e);
      }
      return new MutationOutcome.Done(completion.finish(staged));
    }
  }

  /**
   * Applies the mutations of {@code run}, which are those before {@code end} without an outcome.
   */
  private void writeRun(List<Mutation> run, MutationOutcome[] outcomes, int end)
      throws IOException {
    if (run.isEmpty()) {
      return;
    }
    MutationOutcome outcome = outcome(() -> apply(run, run.size() == 1));
    for (int i = 0; i < end; i++) {
      if (outcomes[i] == null) {
        outcomes[i] = outcome;
      }
    }
    run.clear();
  }

  /** Something that is applied as a whole. */
  private interface Application {
    void run() throws IOException;
  }

  private static MutationOutcome outcome(Application application) throws IOException {
    try {
      application.run();
      return new MutationOutcome.Done(new CellBuffer(0, 0));
    } catch (WriteUndecidedException e) {
      return new MutationOutcome.Undecided(e);
    } catch (RegionBusyException | WalStalledException e) {
      // A row that others hold is no reason to forget what became of the rest of the batch.
      return new MutationOutcome.Refused(e);
    }
  }

  /**
   * Applies puts each on its own, under one number and with one log entry; empty, with nothing
   * done, if one of them would be refused. So all of them have one outcome.
   */
  Optional<MutationOutcome> write(PutBatch puts) throws IOException {
    if (!check.accepts(puts)) {
      return Optional.empty();
    }
    return Optional.of(outcome(() -> apply(puts)));
  }

  private void apply(PutBatch puts) throws IOException {
    CellBuffer cells = puts.cells();
    int[] stripes = puts.stripes();
    StagedWrite staged;
    try (RowLocks.Held held = rows.lock(stripes)) {
      long now = clock.currentTimeMillis();
      for (int put = 0, i = 0; put < stripes.length; put++) {
        long time = times.onePutOfMany(held, stripes[put]);
        for (; i < puts.ends()[put]; i++) {
          cells.stamp(i, time);
        }
      }
      Durability durability = durability(puts.durability());
      CellBuffer logged = durability == Durability.SKIP_WAL ? new CellBuffer(0, 0) : cells;
      WriteStaging.Change change =
          new WriteStaging.Change(cells, logged, durability, Nonce.NONE, new CellBuffer(0, 0), now);
      staged = staging.stage(change, true).orElseThrow();
    }
    completion.finish(staged);
  }

  /**
   * Begins to apply a mutation without waiting for anything.
   *
   * @return false, with nothing done, if that cannot be
   */
  boolean tryWrite(Mutation mutation, WriteListener told) throws IOException {
    check.check(mutation);
    if (mutation.cells().size() > QUICK_WRITE_CELLS
        || !MutationResolver.readsLittle(mutation, QUICK_READ_CELLS)) {
      return false;
    }
    Optional<RowLocks.Held> locked = rows.tryLock(mutation.row());
    if (locked.isEmpty()) {
      return false;
    }
    Optional<StagedWrite> staged;
    try (RowLocks.Held held = locked.get()) {
      staged = tryStage(held, mutation);
    }
    staged.ifPresent(write -> completion.finishLater(write, told));
    return staged.isPresent();
  }

  /** Stages a mutation, whose row is locked, if nothing has to be waited for. */
  private Optional<StagedWrite> tryStage(RowLocks.Held held, Mutation mutation) throws IOException {
    OptionalLong time = times.timeNow(held, mutation);
    if (time.isEmpty()) {
      return Optional.empty();
    }
    MutationResolver.QuickReads quickly =
        new MutationResolver.QuickReads(reader, clock, QUICK_READ_NANOS, QUICK_READ_BYTES);
    Optional<CellBuffer> resolved;
    try {
      resolved = resolver.tryResolve(mutation, time.getAsLong(), quickly);
    } catch (InvalidMutationException e) {
      return Optional.empty(); // for one who waits until what tells against it is safe
    }
    if (resolved.isEmpty()) {
      return Optional.empty();
    }
    CellBuffer cells = resolved.get();
    Optional<StagedWrite> staged =
        staging.stage(
            new WriteStaging.Change(
                cells,
                skipsLog(mutation) ? none : cells,
                durability(mutation.durability()),
                mutation.nonce(),
                mutation.returnResult() ? cells : none,
                clock.currentTimeMillis()),
            false);
    if (staged.isPresent()) {
      times.gave(held, mutation, time.getAsLong());
    }
    return staged;
  }

  /** Has the log make safe at once what was begun. */
  void hurryBegun() {
    completion.hurry();
  }

  /** Applies mutations together or not at all. */
  CellBuffer writeAtomically(List<Mutation> mutations) throws IOException {
    for (Mutation mutation : mutations) {
      check.check(mutation);
    }
    return apply(mutations, true);
  }

  /** Applies mutations of the condition's row, if it holds. */
  Optional<CellBuffer> checkAndWrite(Condition condition, List<Mutation> mutations)
      throws IOException {
    byte[] row = condition.read().startRow();
    for (Mutation mutation : mutations) {
      if (!Arrays.equals(row, mutation.row())) {
        throw new InvalidMutationException("The condition and the mutations have to be of one row");
      }
    }
    return checkAndWrite(List.of(condition), mutations);
  }

  /** Applies mutations of any rows, if all conditions, of any rows, hold at one moment. */
  Optional<CellBuffer> checkAndWrite(List<Condition> conditions, List<Mutation> mutations)
      throws IOException {
    for (Mutation mutation : mutations) {
      check.check(mutation);
    }
    for (Condition condition : conditions) {
      check.row(condition.read().startRow());
    }
    try (WriteMemory read = new WriteMemory(memory)) {
      return checkAndWrite(conditions, mutations, read);
    } catch (MemoryShortageException e) {
      throw new RegionBusyException(e.getMessage());
    }
  }

  private Optional<CellBuffer> checkAndWrite(
      List<Condition> conditions, List<Mutation> mutations, WriteMemory read) throws IOException {
    OptionalLong newest;
    Optional<StagedWrite> staged = Optional.empty();
    try (RowLocks.Held held = rows.lock(conditions, mutations)) {
      newest = newestIfAllHold(conditions, read);
      if (newest.isPresent() && !mutations.isEmpty()) {
        // A clock that was set back must not put a put behind the cells that it is based on.
        long time = times.together(held, mutations);
        long timeOfPuts = Math.max(time, newest.getAsLong());
        staged =
            Optional.of(
                stage(
                    mutations, mutation -> mutation.kind() == Kind.PUT ? timeOfPuts : time, read));
      }
    } catch (InvalidMutationException e) {
      completion.awaitWhatWasSeen();
      throw e;
    }
    if (staged.isPresent()) {
      return Optional.of(completion.finish(staged.get()));
    }
    completion.awaitWhatWasSeen();
    return newest.isPresent() ? Optional.of(new CellBuffer(0, 0)) : Optional.empty();
  }

  /**
   * Returns the newest timestamp that a condition came upon, 0 if there was no cell; nothing if one
   * does not hold. The conditions' rows are locked.
   */
  private OptionalLong newestIfAllHold(List<Condition> conditions, WriteMemory memory)
      throws IOException {
    long newest = 0;
    for (Condition condition : conditions) {
      CellBuffer found = memory.buffer();
      reader.readRow(
          condition.read().toBuilder().readUncommitted(true).build(), found, ReadBudget.WHOLE_ROWS);
      Optional<Cell> first = found.isEmpty() ? Optional.empty() : Optional.of(found.get(0));
      if (!condition.test().holds(first)) {
        return OptionalLong.empty();
      }
      newest = Math.max(newest, first.map(Cell::timestamp).orElse(0L));
    }
    return OptionalLong.of(newest);
  }

  /** Applies mutations under one number, with one time if {@code together}. */
  private CellBuffer apply(List<Mutation> mutations, boolean together) throws IOException {
    try (WriteMemory read = new WriteMemory(memory)) {
      return completion.finish(stage(mutations, together, read));
    }
  }

  /** Locks the rows of mutations, and does all of the change that needs the locks. */
  private StagedWrite stage(List<Mutation> mutations, boolean together, WriteMemory read)
      throws IOException {
    try (RowLocks.Held held = rows.lock(mutations)) {
      if (together) {
        long time = times.together(held, mutations);
        return stage(mutations, mutation -> time, read);
      }
      return stage(mutations, mutation -> times.oneOfMany(held, mutation), read);
    } catch (InvalidMutationException e) {
      completion.awaitWhatWasSeen();
      throw e;
    } catch (MemoryShortageException e) {
      throw new RegionBusyException(e.getMessage());
    }
  }

  /**
   * Does all of a change that needs its rows' locks, which the caller holds.
   *
   * @param times gives each mutation its time
   * @param read lends what is read
   */
  private StagedWrite stage(
      List<Mutation> mutations, ToLongFunction<Mutation> times, WriteMemory read)
      throws IOException {
    return staging.stage(resolved(mutations, times, read), true).orElseThrow();
  }

  private WriteStaging.Change resolved(
      List<Mutation> mutations, ToLongFunction<Mutation> times, WriteMemory read)
      throws IOException {
    if (mutations.isEmpty()) {
      throw new InvalidMutationException("There is nothing to write");
    }
    long now = clock.currentTimeMillis();
    CellBuffer result = new CellBuffer(0, 0);
    CellBuffer cells = null;
    for (Mutation mutation : mutations) {
      CellBuffer resolved = resolver.resolve(mutation, times.applyAsLong(mutation), read);
      if (mutation.returnResult()) {
        result.addAll(resolved);
      }
      cells = mutations.size() == 1 ? resolved : joined(cells, resolved, mutations);
    }
    return new WriteStaging.Change(
        cells,
        logged(mutations, cells),
        durability(mutations),
        mutations.get(0).nonce(),
        result.sorted(CellComparator.USER),
        now);
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
      // A mutation resolves to as many cells as it has, now that an empty one has been filled in.
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
