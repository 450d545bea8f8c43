package dev.cairn.server.master.procedure;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.master.hook.MasterHooks.Moment;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.metrics.OperationCounters;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the steps of procedures that have their locks with the hooks around them, stores each step,
 * repeats steps that fail, and undoes procedures. Owned by the loop.
 */
final class ProcedureSteps {
  private static final Logger LOG = LoggerFactory.getLogger(ProcedureSteps.class);

  private static final Duration RETRY_MIN = Duration.ofMillis(100);
  private static final Duration RETRY_MAX = Duration.ofSeconds(30);

  private final MasterLoop loop;
  private final Clock clock;
  private final ProcedureWriter writer;
  private final ProcedureRecords records;
  private final StepHooks hooks;
  private final Consumer<RunningProcedure> release;
  private final Map<ProcedureKind, OperationCounters> counters = new EnumMap<>(ProcedureKind.class);

  /**
   * Creates the steps.
   *
   * @param release called once a procedure is done or refused
   */
  ProcedureSteps(
      MasterLoop loop,
      Clock clock,
      ProcedureWriter writer,
      ProcedureRecords records,
      StepHooks hooks,
      Consumer<RunningProcedure> release) {
    this.loop = loop;
    this.clock = clock;
    this.writer = writer;
    this.records = records;
    this.hooks = hooks;
    this.release = release;
  }

  /** Begins or resumes a procedure that has its locks. */
  void begin(RunningProcedure running) {
    Optional<ProcedureRecord> stored = records.find(running.id);
    if (stored.isPresent()) {
      runStep(running, stored.get());
      return;
    }
    Optional<FailedProcedureException> failed = Optional.empty();
    try {
      running.procedure.prepare();
    } catch (FailedProcedureException e) {
      failed = Optional.of(e);
    } catch (IOException e) {
      refuse(running, e);
      return;
    } catch (RuntimeException e) {
      refuse(running, new DoNotRetryIOException(e.toString(), e));
      return;
    }
    storeNew(running, failed);
  }

  /** Stores a prepared procedure, which then runs or ends with its failure. */
  private void storeNew(RunningProcedure running, Optional<FailedProcedureException> failed) {
    long now = clock.currentTimeMillis();
    ProcedureRecord begun =
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
            now,
            hooks.mayRefuse(running.procedure));
    ProcedureRecord record = failed.map(e -> begun.failed(e.failure(), now)).orElse(begun);
    writer.storeNew(
        record,
        () -> {
          records.put(record);
          counters(record.kind()).submitted();
          running.accepted.complete(record.id());
          if (failed.isPresent()) {
            LOG.info( // the client has the reason
                "Procedure {} ({}) fails: {}",
                record.id(),
                record.kind(),
                failed.get().getMessage());
            count(record);
            release.accept(running);
          } else {
            runStep(running, record);
          }
        },
        cause -> refuse(running, cause));
  }

  /** Ends a procedure that is not stored. */
  void refuse(RunningProcedure running, IOException cause) {
    running.nonce.ifPresent(records::removeAnswer);
    running.accepted.completeExceptionally(cause);
    release.accept(running);
  }

  private void runStep(RunningProcedure running, ProcedureRecord record) {
    if (running.aborted) {
      LOG.info("Procedure {} is undone on request", record.id());
      undo(running, record, aborted());
      return;
    }
    List<Procedure.Step> steps = running.procedure.steps();
    if (record.step() >= steps.size()) {
      hooks.call(
          running,
          Moment.COMPLETED,
          "",
          Completion.of(
              () -> finish(running, ended(running, record)),
              cause -> {
                if (isFinal(running, cause)) {
                  finish(running, ended(running, record));
                } else {
                  tryAgain(running, record, "its end", cause);
                }
              }));
      return;
    }
    Procedure.Step step = steps.get(record.step());
    if (!record.awaitsHooks()) {
      runAction(running, record, step);
      return;
    }
    hooks.call(
        running,
        Moment.BEGIN,
        "",
        Completion.of(
            () -> {
              ProcedureRecord admitted = record.admitted(clock.currentTimeMillis());
              store(admitted, () -> runAction(running, admitted, step));
            },
            cause -> refuseByHook(running, record, step, cause)));
  }

  private void runAction(RunningProcedure running, ProcedureRecord record, Procedure.Step step) {
    Consumer<IOException> failed = cause -> stepFailed(running, record, step, cause);
    step.action()
        .begin(
            Completion.of(
                () ->
                    hooks.call(
                        running,
                        Moment.AFTER_STEP,
                        step.name(),
                        Completion.of(
                            () -> stepDone(running, record, step),
                            cause -> {
                              if (!mayUndo(running, record) && isFinal(running, cause)) {
                                stepDone(running, record, step);
                              } else {
                                failed.accept(cause);
                              }
                            })),
                failed));
  }

  /**
   * Tells whether another call of a hook would fail, too. The procedure goes on after such a hook:
   * otherwise its table would stay locked.
   */
  private static boolean isFinal(RunningProcedure running, IOException cause) {
    if (!(cause instanceof DoNotRetryIOException)) {
      return false;
    }
    LOG.error(
        "A coprocessor failed after a change by procedure {} ({}), which goes on",
        running.id,
        running.procedure.kind(),
        cause);
    return true;
  }

  private static boolean mayUndo(RunningProcedure running, ProcedureRecord record) {
    return record.step() < running.procedure.undoableSteps();
  }

  private void stepDone(RunningProcedure running, ProcedureRecord record, Procedure.Step step) {
    running.failures = 0;
    ProcedureRecord next = record.atStep(record.step() + 1, clock.currentTimeMillis());
    if (step.endsWithNext()) {
      runStep(running, next);
    } else {
      store(next, () -> runStep(running, next));
    }
  }

  /** Ends a procedure of which nothing has begun. */
  private void refuseByHook(
      RunningProcedure running, ProcedureRecord record, Procedure.Step step, IOException cause) {
    if (mayUndo(running, record)) {
      stepFailed(running, record, step, cause);
      return;
    }
    LOG.info("Procedure {} fails, a coprocessor refuses it: {}", record.id(), cause.toString());
    finish(running, record.failed(cause, clock.currentTimeMillis()));
  }

  private void stepFailed(
      RunningProcedure running, ProcedureRecord record, Procedure.Step step, IOException cause) {
    running.failures++;
    if (mayUndo(running, record)) {
      LOG.info("Procedure {} is undone, {} failed: {}", record.id(), step.name(), cause.toString());
      undo(running, record, cause);
      return;
    }
    retry(running, record, step.name(), cause);
  }

  private void tryAgain(
      RunningProcedure running, ProcedureRecord record, String what, IOException cause) {
    running.failures++;
    retry(running, record, what, cause);
  }

  private void retry(
      RunningProcedure running, ProcedureRecord record, String what, IOException cause) {
    Duration pause = pause(running.failures);
    LOG.warn("Procedure {} tries {} again in {} ms", record.id(), what, pause.toMillis(), cause);
    loop.after(pause, () -> runStep(running, record));
  }

  private void undo(RunningProcedure running, ProcedureRecord record, IOException cause) {
    Consumer<IOException> failed =
        failure -> {
          running.failures++;
          LOG.warn("Procedure {} could not be undone, trying again", record.id(), failure);
          loop.after(pause(running.failures), () -> undo(running, record, cause));
        };
    running.procedure.undo(
        Completion.of(
            () ->
                hooks.call(
                    running,
                    Moment.UNDONE,
                    "",
                    Completion.of(
                        () -> finish(running, record.failed(cause, clock.currentTimeMillis())),
                        failure -> {
                          if (isFinal(running, failure)) {
                            finish(running, record.failed(cause, clock.currentTimeMillis()));
                          } else {
                            failed.accept(failure);
                          }
                        })),
            failed));
  }

  /** Returns the record of a procedure whose steps are done. */
  private ProcedureRecord ended(RunningProcedure running, ProcedureRecord record) {
    long now = clock.currentTimeMillis();
    Optional<IOException> failure = running.procedure.shortcoming();
    failure.ifPresent(
        cause -> LOG.warn("Procedure {} is done, but: {}", record.id(), cause.getMessage()));
    return failure.isPresent() ? record.failed(failure.get(), now) : record.succeeded(now);
  }

  private void finish(RunningProcedure running, ProcedureRecord record) {
    store(
        record,
        () -> {
          count(record);
          release.accept(running);
        });
  }

  private void count(ProcedureRecord done) {
    if (done.failure().isPresent()) {
      counters(done.kind()).failed();
    } else {
      counters(done.kind()).succeeded(Math.max(0, done.updatedMillis() - done.submittedMillis()));
    }
  }

  /** Returns the counts and times of the procedures of a kind since the master leads. */
  OperationCounters counters(ProcedureKind kind) {
    return counters.computeIfAbsent(kind, any -> new OperationCounters());
  }

  private void store(ProcedureRecord record, Runnable done) {
    writer.store(
        record,
        () -> {
          records.put(record);
          done.run();
        });
  }

  private static Duration pause(int failures) {
    Duration pause = RETRY_MIN.multipliedBy(1L << Math.min(failures - 1, 10));
    return pause.compareTo(RETRY_MAX) < 0 ? pause : RETRY_MAX;
  }

  /** Returns the error of a procedure that a client aborts. */
  static DoNotRetryIOException aborted() {
    return new DoNotRetryIOException("The procedure was aborted on request");
  }
}
