package dev.cairn.server.master.procedure;

import dev.cairn.server.master.hook.MasterHooks;
import dev.cairn.server.master.hook.MasterHooks.Moment;
import dev.cairn.server.master.hook.MasterHooks.StepHook;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the hooks of coprocessors at moments of procedures. They run on a lane, and the procedure
 * waits for them. Owned by the loop.
 */
record StepHooks(MasterLoop loop, MasterHooks hooks) {
  private static final Logger LOG = LoggerFactory.getLogger(StepHooks.class);

  /**
   * Hooks that take longer are logged, because hooks of other procedures may wait for their
   * threads.
   */
  private static final Duration LONG = Duration.ofSeconds(10);

  /** Tells whether hooks may refuse a procedure before its first step. */
  boolean mayRefuse(Procedure procedure) {
    return find(procedure, Moment.BEGIN, "").isPresent();
  }

  /**
   * Calls the hooks at a moment. Completes at once if there are none.
   *
   * @param step the step that has ended, if the moment is after one
   * @param completion receives a {@link DoNotRetryIOException} if another call would fail, too
   */
  void call(RunningProcedure running, Moment moment, String step, Completion completion) {
    Optional<StepHook> hook = find(running.procedure, moment, step);
    if (hook.isEmpty()) {
      completion.done();
      return;
    }
    Message data = running.procedure.data();
    boolean[] ended = {false};
    loop.after(LONG, () -> reportUnless(ended, running, moment, step));
    loop.perform(
        Lane.HOOKS,
        () -> call(hook.get(), data, running.owner),
        Completion.of(
            () -> {
              ended[0] = true;
              completion.done();
            },
            cause -> {
              ended[0] = true;
              completion.failed(cause);
            }));
  }

  private Optional<StepHook> find(Procedure procedure, Moment moment, String step) {
    return hooks == MasterHooks.NONE
        ? Optional.empty()
        : hooks.at(procedure.kind().simpleName(), moment, step);
  }

  private static void call(StepHook hook, Message data, String owner) throws IOException {
    try {
      hook.call(data, owner);
    } catch (RuntimeException e) {
      throw new DoNotRetryIOException("A coprocessor failed: " + e, e);
    }
  }

  private static void reportUnless(
      boolean[] ended, RunningProcedure running, Moment moment, String step) {
    if (!ended[0]) {
      LOG.warn(
          "Procedure {} ({}) has waited {} s for hooks of coprocessors at {} {}",
          running.id,
          running.procedure.kind(),
          LONG.toSeconds(),
          moment,
          step);
    }
  }
}
