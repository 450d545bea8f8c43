package dev.cairn.server.master;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.master.procedure.Procedure;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Kills masters at every point of a procedure: after each action, and at each storage operation.
 * After every kill the next master is started and brings everything to rest.
 */
public final class MasterKills {
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

  public static void betweenActions(
      Preparation preparation, Function<SimulatedCluster, Procedure> procedure, Check check)
      throws IOException {
    for (int actions = 0; ; actions++) {
      SimulatedCluster cluster = preparation.prepare();
      CompletableFuture<Long> accepted = cluster.submit(procedure.apply(cluster));
      int[] left = {actions};
      cluster.runUntil(() -> left[0]-- <= 0 || (accepted.isDone() && cluster.isIdle()));
      boolean finished = accepted.isDone() && cluster.isIdle();
      cluster.killMaster();
      recover(cluster);
      check.check(cluster, accepted, "killed after " + actions + " actions");
      if (finished) {
        assertThat(actions).isGreaterThan(5);
        return;
      }
    }
  }

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
