package dev.cairn.server.master.procedure;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.master.hook.MasterHooks;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.procedure.ProcedureRecord.Nonce;
import dev.cairn.server.master.store.MasterStore;
import dev.cairn.server.master.table.TableResource;
import dev.cairn.server.metrics.OperationCounters;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs procedures step by step, and stores each step. Procedures that exclude each other run in the
 * order in which they came ({@link ProcedureQueues}). A repeated request with the same nonce gets
 * the same procedure. Results are kept for 15 minutes. Owned by the loop.
 */
public final class ProcedureExecutor {
  private static final Logger LOG = LoggerFactory.getLogger(ProcedureExecutor.class);

  /**
   * A master may give out 2^10 ids without a trace in the store before its successor, whose clock
   * was set back, could repeat one. Ids stay exact as numbers of JavaScript.
   */
  private static final int UNSTORED_IDS_BITS = 10;

  private final MasterLoop loop;
  private final ProcedureRecords records;
  private final ProcedureSteps steps;
  private final ProcedureQueues queues = new ProcedureQueues();
  private final ClientLocks clientLocks;
  private long lastId;

  /** Run once nothing is under way any more; then nothing new is accepted. */
  private Optional<Runnable> ended = Optional.empty();

  /** Writes the records of procedures. */
  @FunctionalInterface
  public interface RecordStore {
    /**
     * Makes all changes or none, and returns once they survive a kill. One call at a time.
     *
     * @throws IOException as {@link MasterStore#apply}
     */
    void apply(List<MasterStore.Change> changes) throws IOException;
  }

  /**
   * Creates an empty set.
   *
   * @param epoch the master's epoch, higher than those of all masters before it
   * @param hooks called at moments of procedures
   * @param storeFailed called if the store cannot be written: then nothing may continue
   * @param lockTimeout after this time without a heartbeat a client's lock ends
   */
  public ProcedureExecutor(
      MasterLoop loop,
      Clock clock,
      RecordStore store,
      Consumer<Throwable> storeFailed,
      Duration lockTimeout,
      long epoch,
      MasterHooks hooks) {
    this.loop = loop;
    this.lastId = epoch << UNSTORED_IDS_BITS;
    ProcedureWriter writer = new ProcedureWriter(loop, store, storeFailed);
    this.records = new ProcedureRecords(loop, clock, writer);
    this.steps =
        new ProcedureSteps(loop, clock, writer, records, new StepHooks(loop, hooks), this::release);
    this.clientLocks = new ClientLocks(loop, clock, lockTimeout, this);
  }

  /** Takes the stored procedures; {@link #resume} continues the unfinished ones. */
  public void load(Collection<ProcedureRecord> stored) {
    for (ProcedureRecord record : stored) {
      records.load(record);
      lastId = Math.max(lastId, record.id());
    }
  }

  /**
   * Resumes unfinished procedures, and begins to remove old results.
   *
   * @param isDamaged tells whether a resource is unusable; its procedures then wait for the next
   *     start, and keep their locks until then
   */
  public void resume(Function<ProcedureRecord, Procedure> restore, Predicate<String> isDamaged) {
    for (ProcedureRecord record : records.unfinished()) {
      Procedure procedure = restore.apply(record);
      RunningProcedure running =
          new RunningProcedure(
              procedure,
              record.id(),
              record.owner(),
              record.nonce(),
              CompletableFuture.completedFuture(record.id()));
      if (isDamaged.test(procedure.resource()) && !record.kind().replacesFiles()) {
        suspend(running, record);
      } else {
        LOG.info("Procedure {} ({}) resumes at step {}", record.id(), record.kind(), record.step());
        enqueue(running);
      }
    }
    records.beginSweeping();
  }

  /**
   * Leaves a procedure to the next start. It keeps its locks: otherwise its table's regions could
   * change meanwhile, and its remaining steps would no longer fit them.
   */
  private void suspend(RunningProcedure running, ProcedureRecord record) {
    LOG.error(
        "Procedure {} ({}) waits, because {} is damaged. Repair it and start the server again",
        record.id(),
        record.kind(),
        running.resource());
    running.suspended = true;
    running.begun = true;
    queues.add(running);
    if (record.step() >= running.procedure.undoableSteps()) {
      running.procedure.suspend();
    }
  }

  /**
   * Requests that a procedure be undone, which begins at the end of its present step. Refuses one
   * that waits and is not stored yet.
   *
   * @return whether it is refused or will be undone; false if it is not known, done, suspended, or
   *     too far to be undone
   */
  public boolean abort(long id) {
    Optional<RunningProcedure> found =
        queues.all().filter(one -> one.id == id && !one.suspended).findFirst();
    if (found.isEmpty()) {
      return false;
    }
    RunningProcedure running = found.get();
    if (running.isRefusable()) {
      LOG.info("Procedure {} is refused on request, before it has begun", id);
      steps.refuse(running, ProcedureSteps.aborted());
      return true;
    }
    running.aborted |=
        find(id)
            .filter(record -> !record.isDone())
            .filter(record -> record.step() < running.procedure.undoableSteps())
            .isPresent();
    return running.aborted;
  }

  /** Returns the stored procedures that are not done. */
  public List<ProcedureRecord> unfinished() {
    return records.unfinished();
  }

  /**
   * Returns the data of the procedures of some kinds that are not done, including those that wait.
   *
   * @param kinds kinds whose {@link Procedure#data} is known before {@link Procedure#prepare}
   */
  public Stream<Message> submitted(Set<ProcedureKind> kinds) {
    return Stream.concat(
        unfinished().stream()
            .filter(record -> kinds.contains(record.kind()))
            .map(ProcedureRecord::data),
        queues
            .all()
            .filter(running -> kinds.contains(running.procedure.kind()))
            .map(running -> running.procedure.data()));
  }

  /** Returns the locks of clients. */
  public ClientLocks clientLocks() {
    return clientLocks;
  }

  /**
   * Returns the next id: for a procedure, a client's lock, or another task that is listed among the
   * procedures. The ids tell the order in which these came. No id is given out twice, also by later
   * masters: a client may still ask for one whose record is gone, or that was never stored.
   */
  public long nextId() {
    return ++lastId;
  }

  /**
   * Returns the resources for which the lock {@code id} has to wait: those of the procedures that
   * have begun, and of those that wait and came before the lock.
   */
  List<LockedResources> takenBefore(long id) {
    return queues
        .all()
        .filter(one -> one.begun || one.id < id)
        .map(RunningProcedure::locks)
        .toList();
  }

  /** Begins the procedures that waited for locks of clients, if none blocks them any more. */
  void beginWaiting() {
    queues.resources().forEach(this::beginWaiting);
  }

  private void beginWaiting(String resource) {
    for (RunningProcedure waiting : queues.waiting(resource)) {
      // A procedure that begins may be refused at once; then the procedures that waited for it
      // begin.
      if (waiting.isWaiting()) {
        beginUnlessExcluded(waiting);
      }
    }
  }

  private void beginUnlessExcluded(RunningProcedure running) {
    if (queues.before(running).isEmpty() && !clientLocks.exclude(running.locks(), running.id)) {
      running.begun = true;
      steps.begin(running);
    }
  }

  /** Tells whether a procedure that is not done concerns a table of {@code namespace}. */
  public boolean concernTablesOf(String namespace) {
    return queues.resources().stream()
        .anyMatch(resource -> TableResource.isIn(resource, namespace));
  }

  /**
   * Accepts a procedure. The future is completed with its id once it is checked and stored, or with
   * the error that the check found.
   */
  public void submit(
      Procedure procedure, String owner, Optional<Nonce> nonce, CompletableFuture<Long> future) {
    submit(procedure, owner, nonce, Optional.empty(), future);
  }

  /**
   * Accepts a procedure, as {@link #submit(Procedure, String, Optional, CompletableFuture)} does.
   *
   * @param patience how long it may wait for others; then it is refused, and the caller may try
   *     again. Empty for without a limit
   */
  public void submit(
      Procedure procedure,
      String owner,
      Optional<Nonce> nonce,
      Optional<Duration> patience,
      CompletableFuture<Long> future) {
    Optional<CompletableFuture<Long>> known = nonce.flatMap(records::answer);
    if (known.isPresent()) {
      known
          .get()
          .whenComplete(
              (id, error) -> {
                if (error != null) {
                  future.completeExceptionally(error);
                } else {
                  future.complete(id);
                }
              });
      return;
    }
    if (ended.isPresent()) {
      future.completeExceptionally(stopping());
      return;
    }
    try {
      procedure.admit();
    } catch (IOException e) {
      future.completeExceptionally(e);
      return;
    }
    RunningProcedure running = new RunningProcedure(procedure, ++lastId, owner, nonce, future);
    Optional<RunningProcedure> suspended =
        queues
            .all()
            .filter(
                one ->
                    one.suspended
                        && one.resource().equals(running.resource())
                        && one.excludes(running))
            .findFirst();
    if (suspended.isPresent()) {
      future.completeExceptionally(
          new DoNotRetryIOException(
              ("%s was not done: procedure %d (%s) holds %s, which is damaged, until the server is"
                      + " started again")
                  .formatted(
                      procedure.kind(),
                      suspended.get().id,
                      suspended.get().procedure.kind(),
                      running.resource())));
      return;
    }
    nonce.ifPresent(one -> records.putAnswer(one, future));
    enqueue(running);
    if (running.isRefusable()) {
      patience.ifPresent(time -> loop.after(time, () -> refuseWaiting(running, time)));
    }
  }

  /** Refuses a procedure that still waits: its caller holds a handler, and goes away soon. */
  private void refuseWaiting(RunningProcedure running, Duration patience) {
    if (running.isRefusable()) {
      steps.refuse(
          running,
          new PleaseHoldException(
              "%s was not done: it has waited %d ms for %s, which %s. Try again later"
                  .formatted(
                      running.procedure.kind(),
                      patience.toMillis(),
                      running.resource(),
                      holder(running))));
    }
  }

  private String holder(RunningProcedure waiting) {
    return queues
        .before(waiting)
        .map(
            first ->
                "procedure %d (%s) %s"
                    .formatted(
                        first.id,
                        first.procedure.kind(),
                        first.begun ? "holds" : "has waited for longer"))
        .orElse("a client has locked");
  }

  /**
   * Accepts no more procedures, refuses those that wait for others or for a client's lock, and
   * hurries the others. Runs {@code done} once none is running.
   */
  public void end(Runnable done) {
    ended = Optional.of(done);
    if (queues.isIdle()) {
      done.run();
      return;
    }
    List<RunningProcedure> waiting =
        queues
            .all()
            .filter(RunningProcedure::isRefusable)
            .collect(Collectors.toCollection(ArrayList::new));
    Collections.reverse(waiting); // so that none begins because those before it are gone
    waiting.forEach(one -> steps.refuse(one, stopping()));
    queues.all().forEach(one -> one.procedure.hurry());
  }

  private static PleaseHoldException stopping() {
    return new PleaseHoldException("The master is stopping and begins nothing new");
  }

  /** Tells whether a request with this nonce was accepted, or is being checked. */
  public boolean knows(Nonce nonce) {
    return records.answer(nonce).isPresent();
  }

  /** Returns the record of a procedure. */
  public Optional<ProcedureRecord> find(long id) {
    return records.find(id);
  }

  /**
   * Runs {@code told} once: when the procedure is done, at once if it is done or unknown, and after
   * {@code patience} at the latest.
   */
  public void whenDone(long id, Duration patience, Runnable told) {
    records.whenDone(id, patience, told);
  }

  /** Returns all procedures that are known, by id. */
  public Collection<ProcedureRecord> all() {
    return records.all();
  }

  /** Tells whether a procedure holds or waits for {@code resource}, or for regions of it. */
  public boolean isBusy(String resource) {
    return queues.resources().contains(resource);
  }

  /** Returns the resources that are {@linkplain #isBusy busy}, in order. */
  public Set<String> busy() {
    return queues.resources();
  }

  /**
   * The lock that a procedure holds, or waits for.
   *
   * @param id the procedure
   * @param regions the regions that it locks, with a shared lock on the resource; empty if it locks
   *     the whole resource
   * @param isHeld whether the procedure has begun
   */
  public record ProcedureLock(
      long id, ProcedureKind kind, String resource, List<RegionInfo> regions, boolean isHeld) {}

  /** Returns the locks of all procedures, in the order in which these came. */
  public List<ProcedureLock> locks() {
    return queues
        .all()
        .sorted(Comparator.comparingLong(one -> one.id))
        .map(
            one ->
                new ProcedureLock(
                    one.id,
                    one.procedure.kind(),
                    one.resource(),
                    one.procedure.lockedRegions(),
                    one.begun))
        .toList();
  }

  private void enqueue(RunningProcedure running) {
    queues.add(running);
    beginUnlessExcluded(running);
  }

  /** Returns the counts and times of the procedures of a kind since the master leads. */
  public OperationCounters counters(ProcedureKind kind) {
    return steps.counters(kind);
  }

  private void release(RunningProcedure running) {
    queues.remove(running);
    running.released = true;
    clientLocks.grant();
    beginWaiting(running.resource());
    if (queues.isIdle()) {
      ended.ifPresent(Runnable::run);
    }
  }
}
