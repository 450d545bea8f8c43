package dev.cairn.server.master;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.master.procedure.Procedure;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Kills masters at every point of a procedure: after each action, and at each storage operation.
 * Then the next master is started and brings everything to rest, or is killed as well.
 */
public final class MasterKills {
  /** About how many actions the longest recovery takes. */
  private static final int RECOVERY_ACTIONS = 101;

  /** Has no divisor in common with the above, so that all numbers of actions come up. */
  private static final int RECOVERY_STRIDE = 37;

  private MasterKills() {}

  /** Makes a cluster in which the procedure can begin. */
  @FunctionalInterface
  public interface Preparation {
    SimulatedCluster prepare() throws IOException;
  }

  /** Looks at what the next master has made of it. */
  @FunctionalInterface
  public interface Check {
    /** Checks; {@code accepted} has the procedure's id, if a master took it. */
    void check(SimulatedCluster cluster, CompletableFuture<Long> accepted, String when)
        throws IOException;
  }

  /** Kills the master after each action. The next one is not disturbed. */
  public static void betweenActions(
      Preparation preparation, Function<SimulatedCluster, Procedure> procedure, Check check)
      throws IOException {
    betweenActions(preparation, procedure, check, (cluster, actions) -> "");
  }

  /**
   * Kills the master after each action, and the next master after some actions of its recovery: as
   * the first kill moves on, the second one goes through all parts of recoveries.
   */
  public static void betweenActionsAndInRecoveries(
      Preparation preparation, Function<SimulatedCluster, Procedure> procedure, Check check)
      throws IOException {
    betweenActions(preparation, procedure, check, MasterKills::killInRecovery);
  }

  private static String killInRecovery(SimulatedCluster cluster, int actions) throws IOException {
    int again = actions * RECOVERY_STRIDE % RECOVERY_ACTIONS;
    cluster.startMaster();
    runFor(cluster, again, cluster::isIdle);
    cluster.killMaster();
    return " and " + again + " actions of the recovery";
  }

  /** The actions between the first kill and the last recovery; returns a text about them. */
  @FunctionalInterface
  private interface Disturbance {
    String happen(SimulatedCluster cluster, int actions) throws IOException;
  }

  private static void betweenActions(
      Preparation preparation,
      Function<SimulatedCluster, Procedure> procedure,
      Check check,
      Disturbance disturbance)
      throws IOException {
    for (int actions = 0; ; actions++) {
      SimulatedCluster cluster = preparation.prepare();
      CompletableFuture<Long> accepted = cluster.submit(procedure.apply(cluster));
      BooleanSupplier ended = () -> accepted.isDone() && cluster.isIdle();
      runFor(cluster, actions, ended);
      boolean finished = ended.getAsBoolean();
      cluster.killMaster();
      String also = disturbance.happen(cluster, actions);
      recover(cluster);
      check.check(cluster, accepted, "killed after " + actions + " actions" + also);
      if (finished) {
        assertThat(actions).isGreaterThanOrEqualTo(5);
        return;
      }
    }
  }

  private static void runFor(SimulatedCluster cluster, int actions, BooleanSupplier ended) {
    int[] left = {actions};
    cluster.runUntil(() -> left[0]-- <= 0 || ended.getAsBoolean());
  }

  /** Kills the master at each of its storage operations. The next one is not disturbed. */
  public static void withinActions(
      Preparation preparation, Function<SimulatedCluster, Procedure> procedure, Check check)
      throws IOException {
    for (int operations = 0; ; operations++) {
      SimulatedCluster cluster = preparation.prepare();
      CompletableFuture<Long> accepted = cluster.submit(procedure.apply(cluster));
      cluster.dieAfterStorageOperations(operations);
      cluster.runUntil(() -> accepted.isDone() && cluster.isIdle());
      boolean died = cluster.isDead();
      cluster.killMaster();
      recover(cluster);
      check.check(cluster, accepted, "killed at storage operation " + operations);
      if (!died) {
        return;
      }
    }
  }

  private static void recover(SimulatedCluster cluster) throws IOException {
    cluster.startMaster();
    cluster.runUntil(cluster::isIdle);
    assertThat(cluster.aborts).isEmpty();
  }
}
