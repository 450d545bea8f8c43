package dev.cairn.server.master.procedure;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.procedure.ProcedureRecord.Nonce;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Holds the stored procedures, the callers that wait for the end of one, and the nonces of
 * requests. Results stay for a quarter of an hour. Owned by the loop.
 */
final class ProcedureRecords {
  private static final Duration RESULTS_KEPT = Duration.ofMinutes(15);
  private static final Duration SWEEP_EVERY = Duration.ofMinutes(1);

  private final MasterLoop loop;
  private final Clock clock;
  private final ProcedureWriter writer;
  private final TreeMap<Long, ProcedureRecord> records = new TreeMap<>();
  private final Map<Nonce, CompletableFuture<Long>> nonces = new HashMap<>();

  /** The actions to run when a procedure is done, by its id. */
  private final Map<Long, Set<Runnable>> waitingForEnd = new HashMap<>();

  ProcedureRecords(MasterLoop loop, Clock clock, ProcedureWriter writer) {
    this.loop = loop;
    this.clock = clock;
    this.writer = writer;
  }

  /** Takes a record that was stored before the start. */
  void load(ProcedureRecord record) {
    put(record);
    record.nonce().ifPresent(n -> nonces.put(n, CompletableFuture.completedFuture(record.id())));
  }

  /** Takes a record that has just been stored, in place of an earlier one of the procedure. */
  void put(ProcedureRecord record) {
    records.put(record.id(), record);
    if (record.isDone()) {
      tellEnd(record.id());
    }
  }

  /** Returns the record of a procedure. */
  Optional<ProcedureRecord> find(long id) {
    return Optional.ofNullable(records.get(id));
  }

  /** Returns all records, by id. */
  Collection<ProcedureRecord> all() {
    return records.values();
  }

  /** Returns the records that are not done. */
  List<ProcedureRecord> unfinished() {
    return records.values().stream().filter(record -> !record.isDone()).toList();
  }

  /** Returns the answer to the first request with the nonce. */
  Optional<CompletableFuture<Long>> answer(Nonce nonce) {
    return Optional.ofNullable(nonces.get(nonce));
  }

  /** Remembers the answer to the first request with a nonce. */
  void putAnswer(Nonce nonce, CompletableFuture<Long> answer) {
    nonces.put(nonce, answer);
  }

  /** Forgets the request with a nonce. */
  void removeAnswer(Nonce nonce) {
    nonces.remove(nonce);
  }

  /** Runs {@code told} as {@link ProcedureExecutor#whenDone} says. */
  void whenDone(long id, Duration patience, Runnable told) {
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

  private void tellEnd(long id) {
    Set<Runnable> waiting = waitingForEnd.remove(id);
    if (waiting != null) {
      List<Runnable> told = List.copyOf(waiting);
      waiting.clear();
      told.forEach(Runnable::run);
    }
  }

  /** Begins to remove old results periodically. */
  void beginSweeping() {
    loop.after(SWEEP_EVERY, this::sweep);
  }

  private void sweep() {
    long before = clock.currentTimeMillis() - RESULTS_KEPT.toMillis();
    List<ProcedureRecord> old =
        records.values().stream()
            .filter(record -> record.isDone() && record.updatedMillis() < before)
            .toList();
    if (!old.isEmpty()) {
      for (ProcedureRecord record : old) {
        records.remove(record.id());
        record.nonce().ifPresent(nonces::remove);
      }
      writer.remove(old);
    }
    beginSweeping();
  }
}
