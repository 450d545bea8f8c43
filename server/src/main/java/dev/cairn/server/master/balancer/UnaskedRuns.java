package dev.cairn.server.master.balancer;

import dev.cairn.server.master.hook.MasterHooks;
import dev.cairn.server.master.hook.MasterHooks.Balanced;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import java.time.Duration;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalanceRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the hooks around the balancer's own runs, which no client requests. The hooks run on a
 * lane, for one run at a time. Owned by the loop.
 */
final class UnaskedRuns {
  private static final Logger LOG = LoggerFactory.getLogger(UnaskedRuns.class);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** Runs do not wait for regions that have been in transition for long. */
  private static final BalanceRequest REQUEST =
      BalanceRequest.newBuilder().setIgnoreRit(true).build();

  private final MasterLoop loop;
  private final MasterHooks hooks;
  private boolean waiting;

  UnaskedRuns(MasterLoop loop, MasterHooks hooks) {
    this.loop = loop;
    this.hooks = hooks;
  }

  /** Tells whether a run waits for its hooks. */
  boolean isWaiting() {
    return waiting;
  }

  /**
   * Runs the balancer; without waiting if no coprocessor has hooks of the balancer.
   *
   * @param run plans, and begins the moves, unless the balancer must not run at that time
   * @param planned receives the number of moves, unless a hook refuses the run
   */
  void run(Supplier<Balanced> run, IntConsumer planned) {
    if (!hooks.concerns("Balance")) {
      planned.accept(run.get().response().getMovesCalculated());
      return;
    }
    waiting = true;
    loop.perform(
        Lane.HOOKS,
        () ->
            hooks.balance(
                REQUEST,
                request -> loop.<Balanced>request(future -> future.complete(run.get()), PATIENCE)),
        balanced -> {
          waiting = false;
          if (balanced.response().getBalancerRan()) {
            planned.accept(balanced.response().getMovesCalculated());
          }
        },
        cause -> {
          waiting = false;
          LOG.warn("The balancer does not run, a coprocessor fails: {}", cause.toString());
        });
  }
}
