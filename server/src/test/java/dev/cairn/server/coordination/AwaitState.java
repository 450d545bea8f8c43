package dev.cairn.server.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Waits until a session knows of something, and fails if it does not in time. */
final class AwaitState {
  private AwaitState() {}

  static void await(Coordination coordination, Predicate<ClusterState> condition)
      throws InterruptedException {
    CountDownLatch met = new CountDownLatch(1);
    coordination.listen(
        new Coordination.Listener() {
          @Override
          public void changed(ClusterState state) {
            if (condition.test(state)) {
              met.countDown();
            }
          }

          @Override
          public void sessionLost(String reason) {}
        });
    assertThat(met.await(60, TimeUnit.SECONDS)).as("state %s", coordination.state()).isTrue();
  }
}
