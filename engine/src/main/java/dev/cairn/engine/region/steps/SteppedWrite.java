package dev.cairn.engine.region.steps;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.region.state.RegionGate;
import dev.cairn.engine.region.write.ExplicitRowLocks;
import dev.cairn.engine.region.write.InvalidMutationException;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.Mutation.Durability;
import dev.cairn.engine.region.write.Mutation.Kind;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.PendingWrite;
import dev.cairn.engine.region.write.ResolutionListener;
import dev.cairn.engine.region.write.RowLocks;
import dev.cairn.engine.region.write.StagedWrite;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteMemory;
import dev.cairn.engine.region.write.WriteParts;
import dev.cairn.engine.region.write.WriteReads;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.region.write.WriteRequest.Condition;
import dev.cairn.engine.wal.file.ClusterIds;
import dev.cairn.engine.wal.file.Nonce;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * One write in steps ({@link WriteSteps}) of a region. Reserves the memory of the memstores when it
 * resolves mutations, so that a write that has called other servers is not refused for lack of
 * memory. Keeps the memory of its reads until it is closed. One thread.
 */
public final class SteppedWrite implements AutoCloseable {
  private static final CellBuffer NONE = new CellBuffer(0, 0);

  private final WriteParts parts;
  private final ExplicitRowLocks locks;
  private final RegionGate.Visit visit;
  private final WriteMemory memory;
  private final WriteReads reads;
  private final ResolvedRows resolved = new ResolvedRows();
  private long resolvedBytes;
  private long givenMillis; // the latest timestamp that was given to a mutation
  private WaitedFor last; // the latest staged write; null if there is none

  SteppedWrite(WriteParts parts, ExplicitRowLocks locks, RegionGate.Visit visit) {
    this.parts = parts;
    this.locks = locks;
    this.visit = visit;
    this.memory = WriteMemory.inSteps(parts.memory(), parts.room());
    this.reads = new WriteReads(parts.reader(), parts.clock(), WriteBudget.UNLIMITED, memory);
  }

  /**
   * Tests conditions, as a write in one call does. If one does not hold, waits until the writes
   * that the tests have read are durable.
   *
   * @return the newest timestamp of the cells that the tests read, 0 if there were none; empty if a
   *     condition does not hold
   * @throws RegionBusyException if the memory for a read is lacking, or if the outcome of an
   *     earlier write is unknown
   * @throws IllegalStateException if the thread does not hold a row's lock, or if a staged write is
   *     not joined
   */
  public OptionalLong newestIfAllHold(List<Condition> conditions) throws IOException {
    checkJoined();
    for (Condition condition : conditions) {
      checkLocked(condition.read().startRow());
    }
    try {
      OptionalLong newest = reads.newestIfAllHold(conditions);
      if (newest.isEmpty()) {
        parts.completion().ofReads(new MutationOutcome.NotMet()).outcome().cells();
      }
      return newest;
    } catch (MemoryShortageException e) {
      throw new RegionBusyException(e.getMessage());
    }
  }

  /**
   * Checks mutations in their order, gives their cells timestamps, computes increments and appends,
   * and looks up the versions that deletes of the newest version mean. Timestamps are as in a
   * {@link WriteRequest.Batch}. Writes nothing, so an increment or append does not see resolved
   * mutations that are not staged. If two such mutations have a column in common and one is an
   * increment or append, the later one is refused, and needs a separate write.
   *
   * @return one result for each mutation
   * @throws RegionBusyException if the memstores have no room for them
   * @throws IllegalStateException if the thread does not hold a row's lock in exclusive mode, or if
   *     a staged write is not joined
   */
  public List<ResolvedMutation> resolveEach(List<Mutation> mutations, ResolutionListener listener)
      throws IOException {
    checkJoined();
    List<Optional<IOException>> refusals = new ArrayList<>(mutations.size());
    List<Mutation> accepted = new ArrayList<>(mutations.size());
    for (Mutation mutation : mutations) {
      Optional<IOException> refusal = refusal(mutation);
      refusals.add(refusal);
      if (refusal.isEmpty()) {
        checkLocked(mutation.row());
        accepted.add(mutation);
      }
    }
    long[] times = new long[accepted.size()];
    try (RowLocks.Held held = stripes(accepted)) {
      for (int i = 0; i < times.length; i++) {
        times[i] = given(parts.times().oneOfMany(held, accepted.get(i), WriteBudget.UNLIMITED));
      }
    }
    accepted.clear();
    List<ResolvedMutation> results = new ArrayList<>(mutations.size());
    for (int i = 0, time = 0; i < mutations.size(); i++) {
      Mutation mutation = mutations.get(i);
      ResolvedMutation result =
          refusals.get(i).isPresent()
              ? new ResolvedMutation(mutation, refusals.get(i))
              : withColumns(resolveOne(mutation, times[time++], listener));
      if (result.refusal().isEmpty()) {
        resolved.add(result.mutation());
        accepted.add(result.mutation());
      }
      results.add(result);
    }
    reserve(accepted);
    return results;
  }

  private Optional<IOException> refusal(Mutation mutation) {
    try {
      parts.check().check(mutation);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(e);
    }
  }

  /**
   * Refuses a mutation after which its row would lack a column that is not null. The mutations that
   * were resolved before it count as written.
   */
  private ResolvedMutation withColumns(ResolvedMutation one) {
    if (one.refusal().isPresent() || !parts.check().needsRow(one.mutation())) {
      return one;
    }
    List<Mutation> together = new ArrayList<>(resolved.of(one.mutation().row()));
    together.add(one.mutation());
    try {
      parts.check().rows(cells(together), reads);
      return one;
    } catch (MemoryShortageException e) {
      return new ResolvedMutation(
          one.mutation(), Optional.of(new RegionBusyException(e.getMessage())));
    } catch (IOException e) {
      return new ResolvedMutation(one.mutation(), Optional.of(e));
    }
  }

  private static CellBuffer cells(List<Mutation> mutations) {
    CellBuffer cells = mutations.get(0).cells();
    if (mutations.size() > 1) {
      cells = new CellBuffer();
      for (Mutation mutation : mutations) {
        cells.addAll(mutation.cells());
      }
    }
    return cells;
  }

  private ResolvedMutation resolveOne(Mutation mutation, long time, ResolutionListener listener) {
    try {
      if (resolved.computesWith(mutation)) {
        throw new InvalidMutationException(
            "An increment or append, and another mutation of the same column of row "
                + Bytes.toStringBinary(mutation.row())
                + ", cannot be one write");
      }
      return new ResolvedMutation(resolved(mutation, time, listener), Optional.empty());
    } catch (MemoryShortageException e) {
      return new ResolvedMutation(mutation, Optional.of(new RegionBusyException(e.getMessage())));
    } catch (IOException e) {
      return new ResolvedMutation(mutation, Optional.of(e));
    }
  }

  private Mutation resolved(Mutation mutation, long time, ResolutionListener listener)
      throws IOException {
    CellBuffer cells = parts.resolver().resolve(mutation, time, reads, listener);
    return cells == mutation.cells() ? mutation : mutation.withCells(cells);
  }

  /**
   * Resolves mutations as {@link #resolveEach} does, with one timestamp, as in a {@link
   * WriteRequest.Atomic}.
   *
   * @param newest no put gets an earlier timestamp: {@link #newestIfAllHold}
   * @return the mutations with final cells
   * @throws IOException why one of them is refused
   * @throws IllegalStateException as {@link #resolveEach}
   */
  public List<Mutation> resolveTogether(
      List<Mutation> mutations, long newest, ResolutionListener listener) throws IOException {
    checkJoined();
    for (Mutation mutation : mutations) {
      parts.check().check(mutation);
      checkLocked(mutation.row());
    }
    long time;
    try (RowLocks.Held held = stripes(mutations)) {
      time = parts.times().together(held, mutations, WriteBudget.UNLIMITED);
    }
    List<Mutation> results = new ArrayList<>(mutations.size());
    try {
      for (Mutation mutation : mutations) {
        boolean isPut = mutation.kind() == Kind.PUT;
        results.add(resolved(mutation, given(isPut ? Math.max(time, newest) : time), listener));
      }
    } catch (MemoryShortageException e) {
      throw new RegionBusyException(e.getMessage());
    }
    results.forEach(resolved::add);
    reserve(results);
    return results;
  }

  private long given(long millis) {
    givenMillis = Math.max(givenMillis, millis);
    return millis;
  }

  private RowLocks.Held stripes(List<Mutation> mutations) throws RegionBusyException {
    return parts.rows().lock(new WriteRequest.Batch(mutations).stripes(), WriteBudget.UNLIMITED);
  }

  private void reserve(List<Mutation> mutations) throws RegionBusyException {
    for (Mutation mutation : mutations) {
      resolvedBytes += mutation.memStoreBytes();
    }
    memory.reserve(resolvedBytes);
  }

  /**
   * Makes one write of resolved mutations, which the caller may have changed, and checks them like
   * a client's mutations. A mutation without cells adds nothing, but its durability counts. Added
   * cells with {@link Cell#LATEST_TIMESTAMP} get a timestamp. The log keeps one nonce, and the
   * cluster ids of the first mutation; mutations without cluster ids may follow it.
   *
   * @return the write; its result has the cells of the mutations that ask for one, in order
   * @throws RegionBusyException if the memory for a read is lacking
   * @throws IOException why one of them is refused
   * @throws IllegalArgumentException if two have different nonces or different cluster ids: they
   *     need separate writes; or if a delete of a whole row has not been resolved
   * @throws IllegalStateException if the thread does not hold a row's lock in exclusive mode, or if
   *     a staged write is not joined
   */
  public StagedWrite assemble(List<Mutation> mutations) throws IOException {
    checkJoined();
    try {
      return assembled(mutations);
    } catch (MemoryShortageException e) {
      throw new RegionBusyException(e.getMessage());
    }
  }

  private StagedWrite assembled(List<Mutation> mutations) throws IOException {
    resolved.checkDeletes(mutations);
    List<Mutation> written = new ArrayList<>(mutations.size());
    for (Mutation mutation : mutations) {
      if (!mutation.cells().isEmpty()) {
        checkLocked(mutation.row());
        parts.check().checkFinal(mutation, givenMillis);
        stampAdded(mutation);
        written.add(mutation);
      }
    }
    Durability durability = parts.durability().strongest(mutations); // the log may get other cells
    if (written.isEmpty()) {
      return new StagedWrite(NONE, NONE, durability, Nonce.NONE, NONE, now(), List.of());
    }
    CellBuffer cells = cells(written);
    parts.check().rows(cells, reads);
    return new StagedWrite(
        cells,
        parts.durability().logged(written, cells),
        durability,
        nonce(written),
        result(written),
        now(),
        clusterIds(written));
  }

  private static Nonce nonce(List<Mutation> mutations) {
    Nonce nonce = Nonce.NONE;
    for (Mutation mutation : mutations) {
      if (mutation.nonce().isPresent()) {
        if (nonce.isPresent() && !nonce.equals(mutation.nonce())) {
          throw new IllegalArgumentException("Mutations with different nonces cannot be one write");
        }
        nonce = mutation.nonce();
      }
    }
    return nonce;
  }

  private static List<UUID> clusterIds(List<Mutation> mutations) {
    List<UUID> first = ClusterIds.of(mutations.get(0).attributes());
    for (Mutation mutation : mutations) {
      List<UUID> ids = ClusterIds.of(mutation.attributes());
      if (!ids.isEmpty() && !ids.equals(first)) {
        throw new IllegalArgumentException(
            "Mutations that have come through different clusters cannot be one write");
      }
    }
    return first;
  }

  private long now() {
    return parts.clock().currentTimeMillis();
  }

  private static CellBuffer result(List<Mutation> mutations) {
    CellBuffer result = new CellBuffer(0, 0);
    for (Mutation mutation : mutations) {
      if (mutation.returnResult()) {
        result.addAll(mutation.cells());
      }
    }
    return result.sorted(CellComparator.USER);
  }

  /** Gives timestamps to cells that were added after the resolution. */
  private void stampAdded(Mutation mutation) throws IOException {
    CellBuffer cells = mutation.cells();
    Cell cell = new Cell();
    boolean added = false;
    for (int i = 0; i < cells.size(); i++) {
      added |= cells.get(i, cell, 0).timestamp() == Cell.LATEST_TIMESTAMP;
    }
    if (!added) {
      return;
    }
    long time;
    try (RowLocks.Held held = stripes(List.of(mutation))) {
      time = parts.times().oneOfMany(held, mutation, WriteBudget.UNLIMITED);
    }
    if (mutation.kind() == Kind.DELETE) {
      parts.resolver().resolve(mutation, time, reads);
    } else {
      for (int i = 0; i < cells.size(); i++) {
        cells.stamp(i, time);
      }
    }
  }

  private void checkJoined() {
    if (last != null && !last.hasBegun()) {
      throw new IllegalStateException("The staged write has not been joined");
    }
  }

  private void checkLocked(byte[] row) {
    if (!locks.isHeldExclusively(row)) {
      throw new IllegalStateException(
          "The row " + Bytes.toStringBinary(row) + " is not locked by this thread");
    }
  }

  /**
   * Logs a write as one entry with one sequence number, and adds its cells to the memstores. The
   * caller joins the result before it releases the locks of the rows, and before it locks other
   * rows. If the log stalls, the outcome is {@link MutationOutcome.Undecided}: the caller then
   * releases the locks, and later attempts to lock these rows fail until the outcome is known.
   *
   * @return the write, with one outcome. {@link #close} lets it complete if the caller has not
   *     joined it
   * @throws RegionBusyException if the memstores have no room for cells that were added
   * @throws IOException if the log or the region has failed
   * @throws IllegalStateException if the previous staged write is not joined
   */
  public PendingWrite stage(StagedWrite write) throws IOException {
    checkJoined();
    resolved.clear();
    if (write.cells().isEmpty() && write.logged().isEmpty()) {
      return parts.completion().ofReads(new MutationOutcome.Done(write.result()));
    }
    long bytes = WriteRequest.memStoreBytes(write.cells());
    memory.reserve(bytes);
    last = new WaitedFor(parts.staging().stage(write.at(now()), WriteBudget.UNLIMITED));
    locks.staged(write.cells());
    memory.added(bytes);
    resolvedBytes = Math.max(0, resolvedBytes - bytes);
    return last;
  }

  /**
   * Releases the memory of its reads and the reserved memory that was not used, and leaves the
   * region. Completes a staged write that was not joined: otherwise no later write of the region
   * could complete.
   */
  @Override
  public void close() {
    try (visit;
        memory) {
      if (last != null && !last.hasBegun()) {
        last.abandon();
      }
    }
  }
}
