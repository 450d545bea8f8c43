package dev.cairn.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.ClusterState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClusterShutdownTest {
  private static final ServerName SELF = new ServerName("host", 16020, 1);

  private final List<Runnable> checks = new ArrayList<>();
  private ClusterState state = registered(false);
  private int stops;

  private final ClusterShutdown shutdown =
      new ClusterShutdown(() -> state, SELF, checks::add, () -> stops++);

  @Test
  void aServerWaitsForItsFirstMaster() {
    become(registered(false));

    assertThat(checks).isEmpty();
  }

  @Test
  void aServerEndsWithItsCluster() {
    become(registered(true));
    become(registered(false));
    checks.forEach(Runnable::run);

    assertThat(stops).isEqualTo(1);
  }

  @Test
  void aServerOutlivesTheDeletionOfAllZnodes() {
    become(registered(true));
    become(registered(false));
    become(ClusterState.EMPTY);
    checks.forEach(Runnable::run);

    assertThat(stops).isZero();
  }

  @Test
  void aServerOutlivesAZnodeThatComesBack() {
    become(registered(true));
    become(registered(false));
    become(registered(true));
    checks.forEach(Runnable::run);

    assertThat(stops).isZero();
  }

  private void become(ClusterState next) {
    state = next;
    shutdown.changed(next);
  }

  private static ClusterState registered(boolean up) {
    return new ClusterState(
        Optional.empty(), Optional.empty(), List.of(), Optional.empty(), Set.of(SELF), up);
  }
}
