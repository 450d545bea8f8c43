package dev.cairn.server.master.procedure;

import dev.cairn.engine.region.WriteUndecidedException;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.WalStalledException;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.loop.MasterLoop.Lane;
import dev.cairn.server.master.procedure.ProcedureRecord.Nonce;
import dev.cairn.server.master.store.MasterStore;
import dev.cairn.server.master.store.MasterStore.Change;
import dev.cairn.server.master.store.MasterStore.Section;
import dev.cairn.server.master.table.TableResource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs procedures: one per resource at a time, in the order in which they came; step by step, with
 * the store told after each; a request repeated with the same nonce is the same procedure. Results
 * stay for a quarter of an hour. Owned by the loop.
 */
public final class ProcedureExecutor {
  private static final Logger LOG = LoggerFactory.getLogger(ProcedureExecutor.class);
  private static final Duration RETRY_MIN = Duration.ofMillis(100);
  private static final Duration FULL_DISK_PAUSE = Duration.ofSeconds(1);
  private static final Duration RETRY_MAX = Duration.ofSeconds(30);
  private static final Duration RESULTS_KEPT = Duration.ofMinutes(15);

  /** The longest record of a procedure that is accepted; its later steps may need a little more. */
  private static final int RECORD_BYTES_MAX = 10 << 20;

  private static final Duration SWEEP_EVERY = Duration.ofMinutes(1);

  private final MasterLoop loop;
  private final Clock clock;
  private final MasterStore store;
  private final Consumer<Throwable> storeFailed;
  private final ClientLocks clientLocks;
  private final Map<String, Deque<Running>> resources = new HashMap<>();
  private final TreeMap<Long, ProcedureRecord> records = new TreeMap<>();
  private final Map<Nonce, CompletableFuture<Long>> nonces = new HashMap<>();

  /** Who is to be told that a procedure, by id, is done. */
  private final Map<Long, Set<Runnable>> waitingForEnd = new HashMap<>();

  private long lastId;

  /** Run once nothing is under way any more; then nothing new is accepted. */
  private Optional<Runnable> ended = Optional.empty();

  private static final class Running {
    final Procedure procedure;
    final long id;
    final String owner;
    final Optional<Nonce> nonce;
    final CompletableFuture<Long> accepted;
    int failures;

    /** No lock of a client is in its way any more. */
    boolean begun;

    /** Somebody wants it undone, and it can be: see {@link #abort}. */
    boolean aborted;

    Running(
        Procedure procedure,
        long id,
        String owner,
        Optional<Nonce> nonce,
        CompletableFuture<Long> accepted) {
      this.procedure = procedure;
      this.id = id;
      this.owner = owner;
      this.nonce = nonce;
      this.accepted = accepted;
    }

    /** Tells whether it has not begun, now or before a restart: then nothing of it is stored. */
    boolean isRefusable() {
      return !begun && !accepted.isDone();
    }
  }

  /**
   * Creates an empty set.
   *
   * @param storeFailed is told that the store cannot be written: then nothing may go on
   * @param lockTimeout after this time without a heartbeat a client's lock ends
   */
  public ProcedureExecutor(
      MasterLoop loop,
      Clock clock,
      MasterStore store,
      Consumer<Throwable> storeFailed,
      Duration lockTimeout) {
    this.loop = loop;
    this.clock = clock;
    this.store = store;
    this.storeFailed = storeFailed;
    this.clientLocks = new ClientLocks(loop, clock, lockTimeout, this);
  }

  /** Takes what was stored; {@link #resume} then goes on with what was not done. */
  public void load(Collection<ProcedureRecord> stored) {
    for (ProcedureRecord record : stored) {
      records.put(record.id(), record);
      record.nonce().ifPresent(n -> nonces.put(n, CompletableFuture.completedFuture(record.id())));
      lastId = Math.max(lastId, record.id());
    }
  }

  /**
   * Resumes unfinished procedures, and begins to remove old results.
   *
   * @param isHeld tells whether a resource is unusable; its procedures then wait for the next start
   */
  public void resume(Function<ProcedureRecord, Procedure> restore, Predicate<String> isHeld) {
    for (ProcedureRecord record : List.copyOf(records.values())) {
      if (!record.isDone()) {
        resume(record, restore.apply(record), isHeld);
      }
    }
    loop.after(SWEEP_EVERY, this::sweep);
  }

  private void resume(ProcedureRecord record, Procedure procedure, Predicate<String> isHeld) {
    if (isHeld.test(procedure.resource()) && !record.kind().replacesFiles()) {
      LOG.error(
          "Procedure {} ({}) waits, because {} is damaged. Repair it and start the server again",
          record.id(),
          record.kind(),
          procedure.resource());
      return;
    }
    LOG.info("Procedure {} ({}) resumes at step {}", record.id(), record.kind(), record.step());
    enqueue(
        new Running(
            procedure,
            record.id(),
            record.owner(),
            record.nonce(),
            CompletableFuture.completedFuture(record.id())));
  }

  /**
   * Requests that a procedure be undone, which begins at the end of its present step. Refuses one
   * that waits and is not stored yet.
   *
   * @return whether it is refused or will be undone; false if it is not known, done, or too far to
   *     be undone
   */
  public boolean abort(long id) {
    Optional<Running> found =
        resources.values().stream().flatMap(Deque::stream).filter(one -> one.id == id).findFirst();
    if (found.isEmpty()) {
      return false;
    }
    Running running = found.get();
    if (running.isRefusable()) {
      LOG.info("Procedure {} is refused on request, before it has begun", id);
      refuse(running, aborted());
      return true;
    }
    running.aborted |=
        find(id)
            .filter(record -> !record.isDone())
            .filter(record -> record.step() < running.procedure.undoableSteps())
            .isPresent();
    return running.aborted;
  }

  private static DoNotRetryIOException aborted() {
    return new DoNotRetryIOException("The procedure was aborted on request");
  }

  /** Returns the stored procedures that are not done. */
  public List<ProcedureRecord> unfinished() {
    return records.values().stream().filter(record -> !record.isDone()).toList();
  }

  /** Returns the locks of clients. */
  public ClientLocks clientLocks() {
    return clientLocks;
  }

  /**
   * Returns the next id, for a procedure or a client's lock. The ids tell the order in which both
   * came.
   */
  long nextId() {
    return ++lastId;
  }

  /**
   * Returns the resources that the lock {@code id} has to wait for: those of the procedures that
   * have begun, and of those that wait and came before the lock.
   */
  List<String> takenBefore(long id) {
    return resources.entrySet().stream()
        .filter(queue -> isBefore(queue.getValue().element(), id))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static boolean isBefore(Running first, long id) {
    return first.begun || first.id < id;
  }

  /** Begins the procedures that waited for locks of clients, as far as none is in their way. */
  void beginWaiting() {
    List<Running> first =
        resources.values().stream().map(Deque::element).filter(one -> !one.begun).toList();
    first.forEach(this::beginUnlessExcluded);
  }

  private void beginUnlessExcluded(Running running) {
    if (!clientLocks.exclude(running.procedure.resource(), running.id)) {
      running.begun = true;
      begin(running);
    }
  }

  /** Tells whether a procedure that is not done concerns a table of {@code namespace}. */
  public boolean concernTablesOf(String namespace) {
    return resources.keySet().stream()
        .anyMatch(resource -> TableResource.isIn(resource, namespace));
  }

  /**
   * Accepts a procedure. The future is completed with its id once it is checked and stored, or with
   * the error that the check found.
   */
  public void submit(
      Procedure procedure, String owner, Optional<Nonce> nonce, CompletableFuture<Long> future) {
    Optional<CompletableFuture<Long>> known = nonce.map(nonces::get);
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
    nonce.ifPresent(n -> nonces.put(n, future));
    enqueue(new Running(procedure, ++lastId, owner, nonce, future));
  }

  /**
   * Accepts no more procedures, and refuses those that wait for others or for a client's lock. Runs
   * {@code done} once none is under way.
   */
  public void end(Runnable done) {
    ended = Optional.of(done);
    if (resources.isEmpty()) {
      done.run();
      return;
    }
    List<Running> waiting =
        resources.values().stream()
            .flatMap(Deque::stream)
            .filter(Running::isRefusable)
            .collect(Collectors.toCollection(ArrayList::new));
    Collections.reverse(waiting); // so that none begins because those before it are gone
    waiting.forEach(one -> refuse(one, stopping()));
  }

  private static PleaseHoldException stopping() {
    return new PleaseHoldException("The master is stopping and begins nothing new");
  }

  /** Returns what is known of a procedure. */
  public Optional<ProcedureRecord> find(long id) {
    return Optional.ofNullable(records.get(id));
  }

  /**
   * Runs {@code told} once: when the procedure is done, at once if it is or is not known, and after
   * {@code patience} at the latest.
   */
  public void whenDone(long id, Duration patience, Runnable told) {
    if (patience.isZero() || find(id).map(ProcedureRecord::isDone).orElse(true)) {
      told.run();
      return;
    }
    Set<Runnable> waiting = waitingForEnd.computeIfAbsent(id, key -> new LinkedHashSet<>());
    waiting.add(told);
    loop.after(
        patience,
        () -> {
          if (waiting.remove(told)) {
            told.run();
          }
        });
  }

  /** Returns all procedures that are known, by id. */
  public Collection<ProcedureRecord> all() {
    return records.values();
  }

  /** Tells whether a procedure holds or waits for {@code resource}. */
  public boolean isBusy(String resource) {
    return resources.containsKey(resource);
  }

  /**
   * Returns the resources that are held, each with the ids of holder and waiting ones, in order.
   */
  public Map<String, List<Long>> locks() {
    Map<String, List<Long>> locks = new TreeMap<>();
    resources.forEach(
        (resource, queue) -> locks.put(resource, queue.stream().map(one -> one.id).toList()));
    return locks;
  }

  private void enqueue(Running running) {
    Deque<Running> queue =
        resources.computeIfAbsent(running.procedure.resource(), key -> new ArrayDeque<>());
    queue.add(running);
    if (queue.size() == 1) {
      beginUnlessExcluded(running);
    }
  }

  private void begin(Running running) {
    ProcedureRecord stored = records.get(running.id);
    if (stored != null) {
      runStep(running, stored);
      return;
    }
    try {
      running.procedure.prepare();
    } catch (IOException e) {
      refuse(running, e);
      return;
    } catch (RuntimeException e) {
      refuse(running, new DoNotRetryIOException(e.toString(), e));
      return;
    }
    long now = clock.currentTimeMillis();
    ProcedureRecord record =
        new ProcedureRecord(
            running.id,
            running.procedure.kind(),
            running.procedure.data(),
            0,
            running.owner,
            running.nonce,
            ProcedureProtos.ProcedureState.RUNNABLE,
            Optional.empty(),
            now,
            now);
    Change change = change(record);
    int bytes = change.value().map(value -> value.length).orElse(0);
    if (bytes > RECORD_BYTES_MAX) {
      refuse(
          running,
          new DoNotRetryIOException(
              "What is to be done takes "
                  + bytes
                  + " bytes to write down, and at most "
                  + RECORD_BYTES_MAX
                  + " are allowed: make names, attributes or split keys smaller"));
      return;
    }
    write(
        List.of(change),
        () -> {
          records.put(record.id(), record);
          running.accepted.complete(record.id());
          runStep(running, record);
        },
        cause -> refuse(running, cause));
  }

  private void refuse(Running running, IOException cause) {
    running.nonce.ifPresent(nonces::remove);
    running.accepted.completeExceptionally(cause);
    release(running);
  }

  private void runStep(Running running, ProcedureRecord record) {
    if (running.aborted) {
      LOG.info("Procedure {} is undone on request", record.id());
      undo(running, record, aborted());
      return;
    }
    List<Procedure.Step> steps = running.procedure.steps();
    if (record.step() >= steps.size()) {
      finish(running, record.succeeded(clock.currentTimeMillis()));
      return;
    }
    Procedure.Step step = steps.get(record.step());
    step.action()
        .begin(
            Completion.of(
                () -> {
                  running.failures = 0;
                  ProcedureRecord next =
                      record.atStep(record.step() + 1, clock.currentTimeMillis());
                  store(next, () -> runStep(running, next));
                },
                cause -> stepFailed(running, record, step, cause)));
  }

  private void stepFailed(
      Running running, ProcedureRecord record, Procedure.Step step, IOException cause) {
    running.failures++;
    if (record.step() < running.procedure.undoableSteps()) {
      LOG.warn("Procedure {} is undone, {} failed", record.id(), step.name(), cause);
      undo(running, record, cause);
      return;
    }
    Duration pause = pause(running.failures);
    LOG.warn(
        "Procedure {} tries {} again in {} ms", record.id(), step.name(), pause.toMillis(), cause);
    loop.after(pause, () -> runStep(running, record));
  }

  private void undo(Running running, ProcedureRecord record, IOException cause) {
    running.procedure.undo(
        Completion.of(
            () -> finish(running, record.failed(cause, clock.currentTimeMillis())),
            failure -> {
              running.failures++;
              LOG.warn("Procedure {} could not be undone, trying again", record.id(), failure);
              loop.after(pause(running.failures), () -> undo(running, record, cause));
            }));
  }

  private void finish(Running running, ProcedureRecord record) {
    store(record, () -> release(running));
  }

  private void release(Running running) {
    String resource = running.procedure.resource();
    Deque<Running> queue = resources.get(resource);
    queue.remove(running);
    if (queue.isEmpty()) {
      resources.remove(resource);
    }
    clientLocks.grant();
    if (!queue.isEmpty() && !queue.element().begun) {
      beginUnlessExcluded(queue.element());
    }
    if (resources.isEmpty()) {
      ended.ifPresent(Runnable::run);
    }
  }

  private void store(ProcedureRecord record, Runnable done) {
    List<Change> changes = List.of(change(record));
    Runnable stored =
        () -> {
          records.put(record.id(), record);
          if (record.isDone()) {
            tellEnd(record.id());
          }
          done.run();
        };
    write(changes, stored, again(changes, stored));
  }

  private void tellEnd(long id) {
    Set<Runnable> waiting = waitingForEnd.remove(id);
    if (waiting != null) {
      List<Runnable> told = List.copyOf(waiting);
      waiting.clear();
      told.forEach(Runnable::run);
    }
  }

  private static Change change(ProcedureRecord record) {
    return new Change(Section.PROCEDURE, record.row(), Optional.of(record.message().toByteArray()));
  }

  /**
   * Writes changes.
   *
   * @param refused told if the disk is full and nothing was written
   */
  private void write(List<Change> changes, Runnable done, Consumer<IOException> refused) {
    loop.perform(
        Lane.STORE,
        () -> store.apply(changes),
        Completion.of(
            done,
            cause -> {
              if (cause instanceof WalStalledException) {
                refused.accept(cause);
              } else if (cause instanceof WriteUndecidedException) {
                // It may come to pass, so nobody can be told that it does not.
                LOG.warn("The master's store waits for room on the disk: {}", cause.getMessage());
                loop.after(FULL_DISK_PAUSE, () -> write(changes, done, again(changes, done)));
              } else {
                storeFailed.accept(cause);
              }
            }));
  }

  private Consumer<IOException> again(List<Change> changes, Runnable done) {
    return cause -> loop.after(FULL_DISK_PAUSE, () -> write(changes, done, again(changes, done)));
  }

  private void sweep() {
    long before = clock.currentTimeMillis() - RESULTS_KEPT.toMillis();
    List<ProcedureRecord> old =
        records.values().stream()
            .filter(record -> record.isDone() && record.updatedMillis() < before)
            .toList();
    if (!old.isEmpty()) {
      List<Change> changes =
          old.stream()
              .map(record -> new Change(Section.PROCEDURE, record.row(), Optional.empty()))
              .toList();
      for (ProcedureRecord record : old) {
        records.remove(record.id());
        record.nonce().ifPresent(nonces::remove);
      }
      write(changes, () -> {}, again(changes, () -> {}));
    }
    loop.after(SWEEP_EVERY, this::sweep);
  }

  private static Duration pause(int failures) {
    Duration pause = RETRY_MIN.multipliedBy(1L << Math.min(failures - 1, 10));
    return pause.compareTo(RETRY_MAX) < 0 ? pause : RETRY_MAX;
  }
}
