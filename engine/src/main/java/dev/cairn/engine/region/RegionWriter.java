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
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;

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
  private final Lock updates;
  private final MutationCheck check;
  private final MutationResolver resolver;
  private final Durability defaultDurability;
  private final Object order = new Object();

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
      Durability defaultDurability) {
    this.info = info;
    this.stores = stores;
    this.reader = reader;
    this.mvcc = mvcc;
    this.wal = wal;
    this.clock = clock;
    this.rows = new RowLocks(settings.rowLockWaitMillis());
    this.updates = updates;
    this.check = new MutationCheck(info, stores, readOnly, settings.maxCellBytes());
    this.resolver = new MutationResolver(stores, reader, check);
    this.defaultDurability = defaultDurability;
  }

  /** Applies mutations each on its own; neighbouring puts and deletes share one log entry. */
  List<MutationOutcome> write(List<Mutation> batch) throws IOException {
    List<MutationOutcome> outcomes = new ArrayList<>(batch.size());
    List<Mutation> run = new ArrayList<>();
    for (Mutation mutation : batch) {
      MutationOutcome outcome;
      try {
        check.check(mutation);
        if (mutation.kind() == Kind.PUT || mutation.kind() == Kind.DELETE) {
          run.add(mutation);
          outcome = new MutationOutcome.Done(new CellBuffer(0, 0));
        } else {
          flush(run);
          outcome = new MutationOutcome.Done(apply(List.of(mutation)));
        }
      } catch (InvalidMutationException | NoSuchFamilyException | WrongRowException e) {
        outcome = new MutationOutcome.Refused(e);
      }
      outcomes.add(outcome);
    }
    flush(run);
    return outcomes;
  }

  /** Applies mutations together or not at all. */
  CellBuffer writeAtomically(List<Mutation> mutations) throws IOException {
    for (Mutation mutation : mutations) {
      check.check(mutation);
    }
    return apply(mutations);
  }

  /** Applies mutations of the condition's row, if it holds. */
  Optional<CellBuffer> checkAndWrite(Condition condition, List<Mutation> mutations)
      throws IOException {
    byte[] row = condition.read().startRow();
    for (Mutation mutation : mutations) {
      check.check(mutation);
      if (!Arrays.equals(row, mutation.row())) {
        throw new InvalidMutationException("The condition and the mutations have to be of one row");
      }
    }
    Optional<Staged> staged;
    try (RowLocks.Held held = rows.lock(row)) {
      CellBuffer found = new CellBuffer();
      reader.get(condition.read().toBuilder().readUncommitted(true).build(), found);
      Optional<Cell> first = found.isEmpty() ? Optional.empty() : Optional.of(found.get(0));
      if (condition.test().holds(first)) {
        // A clock that was set back must not put the change behind the cell that it is based on.
        staged = Optional.of(stage(mutations, first.map(Cell::timestamp).orElse(0L)));
      } else {
        staged = Optional.empty();
      }
    }
    if (staged.isPresent()) {
      return Optional.of(finish(staged.get()));
    }
    // What the condition saw may not be safe yet; "no" may be told only once it is.
    mvcc.await(mvcc.lastBegun());
    return Optional.empty();
  }

  private void flush(List<Mutation> run) throws IOException {
    if (!run.isEmpty()) {
      apply(run);
      run.clear();
    }
  }

  private CellBuffer apply(List<Mutation> mutations) throws IOException {
    Staged staged;
    try (RowLocks.Held held = rows.lock(mutations)) {
      staged = stage(mutations, 0);
    }
    return finish(staged);
  }

  /** A change that is in the memstores and queued for the log, and not yet safe or visible. */
  private record Staged(Mvcc.Write write, long ticket, Durability durability, CellBuffer result) {}

  /** Does all of a change that needs its rows' locks, which the caller holds. */
  private Staged stage(List<Mutation> mutations, long notBefore) throws IOException {
    if (mutations.isEmpty()) {
      throw new InvalidMutationException("There is nothing to write");
    }
    Durability durability = durability(mutations);
    CellBuffer result = new CellBuffer(0, 0);
    long now = Math.max(clock.currentTimeMillis(), notBefore);
    CellBuffer cells = null;
    for (Mutation mutation : mutations) {
      CellBuffer resolved = resolver.resolve(mutation, now);
      if (mutation.returnResult()) {
        result.addAll(resolved);
      }
      cells = mutations.size() == 1 ? resolved : joined(cells, resolved, mutations);
    }
    CellBuffer logged = logged(mutations, cells);
    Mvcc.Write write;
    long ticket;
    updates.lock();
    try {
      synchronized (order) {
        write = mvcc.begin();
        ticket = append(write, logged, now, mutations.get(0).nonce());
      }
      add(cells, write);
    } finally {
      updates.unlock();
    }
    return new Staged(write, ticket, durability, result.sorted(CellComparator.USER));
  }

  private void add(CellBuffer cells, Mvcc.Write write) throws IOException {
    try {
      stores.add(cells, write.number());
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

  private long append(Mvcc.Write write, CellBuffer logged, long now, Nonce nonce)
      throws IOException {
    if (logged.isEmpty()) {
      return 0;
    }
    try {
      return wal.append(
          new WalEntry(info.encodedName(), info.table(), write.number(), now, logged, nonce));
    } catch (IOException | RuntimeException | Error e) {
      mvcc.complete(write);
      throw e;
    }
  }

  /** Makes a change safe and visible; the rows are free meanwhile. Returns its result. */
  private CellBuffer finish(Staged staged) throws IOException {
    long ticket = staged.ticket();
    try {
      if (ticket > 0 && staged.durability() == Durability.FSYNC_WAL) {
        wal.sync(ticket, Wal.Safety.SYNCED);
      } else if (ticket > 0 && staged.durability() == Durability.SYNC_WAL) {
        wal.sync(ticket);
      }
    } catch (IOException e) {
      mvcc.fail(e);
      throw e;
    }
    mvcc.complete(staged.write());
    mvcc.await(staged.write().number());
    return staged.result();
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
