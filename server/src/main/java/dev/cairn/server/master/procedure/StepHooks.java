package dev.cairn.server.master.procedure;

import dev.cairn.server.master.hook.MasterHooks;
import dev.cairn.server.master.hook.MasterHooks.Moment;
import dev.cairn.server.master.hook.MasterHooks.StepHook;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Calls the hooks of coprocessors at moments of procedures. They run on a lane, and the procedure
 * waits for them. Owned by the loop.
 */
record StepHooks(MasterLoop loop, MasterHooks hooks) {
  /**
   * Calls the hooks of a moment. Without any, it is done at once.
   *
   * @param step the step that has ended, if the moment is after one
   */
  void call(RunningProcedure running, Moment moment, String step, Completion completion) {
    Optional<StepHook> hook =
        hooks == MasterHooks.NONE
            ? Optional.empty()
            : hooks.at(running.procedure.kind().simpleName(), moment, step);
    if (hook.isEmpty()) {
      completion.done();
      return;
    }
    Message data = running.procedure.data();
    loop.perform(Lane.HOOKS, () -> hook.get().call(data, running.owner), completion);
  }
}
