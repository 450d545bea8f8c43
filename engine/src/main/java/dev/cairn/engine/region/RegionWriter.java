package dev.cairn.engine.region;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.region.Mutation.Durability;
import dev.cairn.engine.region.Mutation.Kind;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.Nonce;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.WalEntry;
import dev.cairn.engine.wal.WalStalledException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
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

  private final RegionInfo info;
  private final RegionStores stores;
  private final RegionReader reader;
  private final Mvcc mvcc;
  private final Wal wal;
  private final Clock clock;
  private final RowLocks rows;
  private final RowTimes times;
  private final Lock updates;
  private final MutationCheck check;
  private final MutationResolver resolver;
  private final Durability defaultDurability;
  private final ReentrantLock order = new ReentrantLock();

  RegionWriter(
      RegionInfo info,
      RegionStores stores,
      RegionReader reader,
      Mvcc mvcc,
      Wal wal,
      Clock clock,
      Lock updates,
      RegionSettings settings,
      boolean readOnly,
      Durability defaultDurability,
      long firstMillis) {
    this.info = info;
    this.stores = stores;
    this.reader = reader;
    this.mvcc = mvcc;
    this.wal = wal;
    this.clock = clock;
    this.rows = new RowLocks(settings.rowLockWaitMillis(), firstMillis);
    this.times = new RowTimes(clock);
    this.updates = updates;
    this.check = new MutationCheck(info, stores, readOnly, settings.maxCellBytes());
    this.resolver = new MutationResolver(stores, reader, check);
    this.defaultDurability = defaultDurability;
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
          outcomes[i] = new MutationOutcome.Done(apply(List.of(mutation), true));
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
   * Applies the mutations of {@code run}, which are those before {@code end} without an outcome.
   */
  private void writeRun(List<Mutation> run, MutationOutcome[] outcomes, int end)
      throws IOException {
    if (run.isEmpty()) {
      return;
    }
    MutationOutcome outcome = new MutationOutcome.Done(new CellBuffer(0, 0));
    try {
      apply(run, run.size() == 1);
    } catch (WriteUndecidedException e) {
      outcome = new MutationOutcome.Undecided(e);
    } catch (RegionBusyException | WalStalledException e) {
      // A row that others hold is no reason to forget what became of the rest of the batch.
      outcome = new MutationOutcome.Refused(e);
    }
    for (int i = 0; i < end; i++) {
      if (outcomes[i] == null) {
        outcomes[i] = outcome;
      }
    }
    run.clear();
  }

  /**
   * Begins to apply a put or delete without waiting for anything; empty, with nothing done, if that
   * cannot be.
   */
  Optional<CompletableFuture<Void>> tryWrite(Mutation mutation) throws IOException {
    if (MutationResolver.reads(mutation)) {
      return Optional.empty();
    }
    check.check(mutation);
    Optional<RowLocks.Held> locked = rows.tryLock(mutation.row());
    if (locked.isEmpty()) {
      return Optional.empty();
    }
    Optional<Staged> staged;
    try (RowLocks.Held held = locked.get()) {
      if (times.wouldWait(held, mutation)) {
        return Optional.empty();
      }
      List<Mutation> one = List.of(mutation);
      long time = times.together(held, one);
      staged = stage(one, some -> time, false);
    }
    return staged.map(this::finishLater);
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
    OptionalLong newest;
    Optional<Staged> staged = Optional.empty();
    try (RowLocks.Held held = rows.lock(conditions, mutations)) {
      newest = newestIfAllHold(conditions);
      if (newest.isPresent() && !mutations.isEmpty()) {
        // A clock that was set back must not put a put behind the cells that it is based on.
        long time = times.together(held, mutations);
        long timeOfPuts = Math.max(time, newest.getAsLong());
        staged =
            Optional.of(
                stage(mutations, mutation -> mutation.kind() == Kind.PUT ? timeOfPuts : time));
      }
    } catch (InvalidMutationException e) {
      awaitWhatWasSeen();
      throw e;
    }
    if (staged.isPresent()) {
      return Optional.of(finish(staged.get()));
    }
    awaitWhatWasSeen();
    return newest.isPresent() ? Optional.of(new CellBuffer(0, 0)) : Optional.empty();
  }

  /**
   * Returns once what this thread has read under its rows' locks is safe: an answer that comes of
   * it, and not of a write, may be told only then. The rows are free again.
   */
  private void awaitWhatWasSeen() throws IOException {
    try {
      mvcc.await(mvcc.lastBegun());
    } catch (Mvcc.PostponedException e) {
      throw new RegionBusyException(
          info.regionNameAsString()
              + " cannot say now what the row allows, since a write to it is undecided: "
              + e.getMessage());
    }
  }

  /**
   * Returns the newest timestamp that a condition came upon, 0 if there was no cell; nothing if one
   * does not hold. The conditions' rows are locked.
   */
  private OptionalLong newestIfAllHold(List<Condition> conditions) throws IOException {
    long newest = 0;
    for (Condition condition : conditions) {
      CellBuffer found = new CellBuffer();
      reader.get(condition.read().toBuilder().readUncommitted(true).build(), found);
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
    Staged staged;
    try (RowLocks.Held held = rows.lock(mutations)) {
      if (together) {
        long time = times.together(held, mutations);
        staged = stage(mutations, time);
      } else {
        staged = stage(mutations, mutation -> times.oneOfMany(held, mutation));
      }
    } catch (InvalidMutationException e) {
      awaitWhatWasSeen();
      throw e;
    }
    return finish(staged);
  }

  /** A change that is in the memstores and queued for the log, and not yet safe or visible. */
  private record Staged(Mvcc.Write write, long ticket, Durability durability, CellBuffer result) {}

  private Staged stage(List<Mutation> mutations, long time) throws IOException {
    return stage(mutations, mutation -> time);
  }

  /**
   * Does all of a change that needs its rows' locks, which the caller holds.
   *
   * @param times gives each mutation its time
   */
  private Staged stage(List<Mutation> mutations, ToLongFunction<Mutation> times)
      throws IOException {
    return stage(mutations, times, true).orElseThrow();
  }

  /** Does the same, or nothing if it had to wait and {@code mayWait} is false. */
  private Optional<Staged> stage(
      List<Mutation> mutations, ToLongFunction<Mutation> times, boolean mayWait)
      throws IOException {
    if (mutations.isEmpty()) {
      throw new InvalidMutationException("There is nothing to write");
    }
    Durability durability = durability(mutations);
    CellBuffer result = new CellBuffer(0, 0);
    long now = clock.currentTimeMillis();
    CellBuffer cells = null;
    for (Mutation mutation : mutations) {
      CellBuffer resolved = resolver.resolve(mutation, times.applyAsLong(mutation));
      if (mutation.returnResult()) {
        result.addAll(resolved);
      }
      cells = mutations.size() == 1 ? resolved : joined(cells, resolved, mutations);
    }
    CellBuffer logged = logged(mutations, cells);
    if (!lock(updates, mayWait)) {
      return Optional.empty();
    }
    try {
      if (!lock(order, mayWait)) {
        return Optional.empty();
      }
      Mvcc.Write write;
      OptionalLong ticket;
      try {
        write = mvcc.begin();
        ticket = append(write, logged, now, mutations.get(0).nonce(), mayWait);
      } finally {
        order.unlock();
      }
      if (ticket.isEmpty()) {
        return Optional.empty();
      }
      add(cells, write, now);
      CellBuffer sorted = result.sorted(CellComparator.USER);
      return Optional.of(new Staged(write, ticket.getAsLong(), durability, sorted));
    } finally {
      updates.unlock();
    }
  }

  /**
   * Takes a lock, unless {@code mayWait} is false and it would have to be waited for, also because
   * others wait: a plain {@code tryLock} would overtake a flush that waits to exclude writes, again
   * and again, so that under many such writes it came to nothing for seconds.
   */
  static boolean lock(Lock lock, boolean mayWait) {
    if (mayWait) {
      lock.lock();
      return true;
    }
    try {
      return lock.tryLock(0, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void add(CellBuffer cells, Mvcc.Write write, long nowMillis) throws IOException {
    try {
      stores.add(cells, write.number(), nowMillis);
    } catch (RuntimeException | Error e) {
      RegionFailedException failure =
          new RegionFailedException(
              info.regionNameAsString()
                  + " takes no more writes: a change that the log has could not be put into memory",
              e);
      mvcc.fail(failure);
      throw failure;
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
      // A mutation resolves to as many cells as it has, now that an empty one has been filled in.
      int end = at + mutation.cells().size();
      for (; at < end; at++) {
        if (!skipsLog(mutation)) {
          logged.add(cells.bytes(), cells.offset(at), cells.length(at));
        }
      }
    }
    return logged;
  }

  private boolean skipsLog(Mutation mutation) {
    return durability(mutation) == Durability.SKIP_WAL;
  }

  /** Returns the ticket, 0 if there is nothing to log; empty if that would have to wait. */
  private OptionalLong append(
      Mvcc.Write write, CellBuffer logged, long now, Nonce nonce, boolean mayWait)
      throws IOException {
    if (logged.isEmpty()) {
      return OptionalLong.of(0);
    }
    OptionalLong ticket = OptionalLong.empty();
    try {
      WalEntry entry =
          new WalEntry(info.encodedName(), info.table(), write.number(), now, logged, nonce);
      ticket = mayWait ? OptionalLong.of(wal.append(entry)) : wal.tryAppend(entry);
      return ticket;
    } finally {
      if (ticket.isEmpty()) {
        mvcc.complete(write);
      }
    }
  }

  /** Makes a change safe and visible; the rows are free meanwhile. Returns its result. */
  private CellBuffer finish(Staged staged) throws IOException {
    Optional<Wal.Safety> safety = safety(staged);
    try {
      if (safety.isPresent()) {
        wal.sync(staged.ticket(), safety.get());
      }
    } catch (WalStalledException e) {
      throw postponed(staged, safety.get(), e);
    } catch (IOException e) {
      mvcc.fail(e);
      throw e;
    }
    mvcc.complete(staged.write());
    try {
      mvcc.await(staged.write().number());
    } catch (Mvcc.PostponedException e) {
      throw undecided(staged, e);
    }
    return staged.result();
  }

  /** As {@link #finish}, without keeping the caller. */
  private CompletableFuture<Void> finishLater(Staged staged) {
    Optional<Wal.Safety> safety = safety(staged);
    if (safety.isEmpty()) {
      return completed(staged);
    }
    return wal.safe(staged.ticket(), safety.get())
        .handle((done, failure) -> Optional.ofNullable(failure))
        .thenCompose(
            failure ->
                failure.isEmpty()
                    ? completed(staged)
                    : CompletableFuture.failedFuture(notSafe(staged, safety.get(), failure.get())));
  }

  private CompletableFuture<Void> completed(Staged staged) {
    mvcc.complete(staged.write());
    CompletableFuture<Void> seen = mvcc.awaited(staged.write().number());
    if (seen.isDone() && !seen.isCompletedExceptionally()) {
      return seen;
    }
    return seen.exceptionallyCompose(
        failure ->
            CompletableFuture.failedFuture(
                failure instanceof Mvcc.PostponedException postponed
                    ? undecided(staged, postponed)
                    : failure));
  }

  /** Takes note that a change is not safe, for now or for good; returns what to tell. */
  private Throwable notSafe(Staged staged, Wal.Safety safety, Throwable failure) {
    if (failure instanceof WalStalledException stalled) {
      return postponed(staged, safety, stalled);
    }
    mvcc.fail(failure instanceof IOException known ? known : new IOException(failure));
    return failure;
  }

  private WriteUndecidedException postponed(
      Staged staged, Wal.Safety safety, WalStalledException cause) {
    mvcc.postpone(staged.write(), cause);
    WriteUndecidedException undecided = undecided(staged, cause);
    wal.settled(staged.ticket(), safety)
        .whenComplete((done, failure) -> settle(staged.write(), failure));
    return undecided;
  }

  private static Optional<Wal.Safety> safety(Staged staged) {
    if (staged.ticket() == 0) {
      return Optional.empty();
    }
    return switch (staged.durability()) {
      case FSYNC_WAL -> Optional.of(Wal.Safety.SYNCED);
      case SYNC_WAL -> Optional.of(Wal.Safety.FLUSHED);
      default -> Optional.empty();
    };
  }

  private WriteUndecidedException undecided(Staged staged, IOException cause) {
    return new WriteUndecidedException(
        info.regionNameAsString() + " cannot finish the write now: " + cause.getMessage(),
        cause,
        mvcc.reached(staged.write().number()).thenApply(done -> staged.result()));
  }

  private void settle(Mvcc.Write write, Throwable failure) {
    if (failure == null) {
      mvcc.complete(write);
    } else {
      mvcc.fail(failure instanceof IOException known ? known : new IOException(failure));
    }
  }

  private Durability durability(Mutation mutation) {
    return mutation.durability() == Durability.USE_DEFAULT
        ? defaultDurability
        : mutation.durability();
  }

  private Durability durability(List<Mutation> mutations) {
    Durability strongest = Durability.SKIP_WAL;
    for (Mutation mutation : mutations) {
      Durability own = durability(mutation);
      strongest = own.compareTo(strongest) > 0 ? own : strongest;
    }
    return strongest;
  }
}
