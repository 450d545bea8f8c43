package dev.cairn.server.master.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.FencedException;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The events of a master, and the threads that run them. */
class MasterLoopTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final MasterLoop.Lanes LANES =
      new MasterLoop.Lanes() {
        @Override
        public void execute(Lane lane, Runnable action) {
          new Thread(action).start();
        }

        @Override
        public void after(Duration delay, Runnable event) {}
      };

  private final List<Throwable> fatal = new ArrayList<>();
  private final MasterLoop loop = new MasterLoop(Clock.SYSTEM, LANES, fatal::add);

  /** Changed by events alone, without a lock. */
  private int state;

  @Test
  void aRequestNeedsNoOtherThread() throws IOException {
    loop.post(() -> state = 5);
    assertThat(loop.<Integer>request(future -> future.complete(state + 1), PATIENCE)).isEqualTo(6);
  }

  @Test
  void eventsThatComeTogetherShareOneTaskThatPolls() {
    List<Runnable> tasks = new ArrayList<>();
    MasterLoop driven = new MasterLoop(Clock.SYSTEM, LANES, fatal::add, Optional.of(tasks::add));
    driven.post(() -> state++);
    driven.post(() -> state++);
    assertThat(tasks).hasSize(1);
    tasks.remove(0).run();
    assertThat(state).isEqualTo(2);
    driven.post(() -> state++);
    assertThat(tasks).hasSize(1);
  }

  @Test
  void aRequestThatEventsCompleteLaterWaitsForThem() throws Exception {
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      other.submit(
          () -> {
            while (!loop.isClosed()) {
              loop.pollAndWait();
            }
            return null;
          });
      String answer =
          loop.request(
              future ->
                  loop.perform(Lane.FILES, () -> "read", future::complete, cause -> state = -1),
              PATIENCE);
      assertThat(answer).isEqualTo("read");
    } finally {
      loop.close();
      other.shutdown();
    }
  }

  @Test
  void eventsNeverRunAtTheSameTime() throws Exception {
    int threads = 4;
    int each = 5_000;
    ExecutorService callers = Executors.newFixedThreadPool(threads);
    try {
      Callable<Void> work =
          () -> {
            for (int i = 0; i < each; i++) {
              loop.<Integer>request(future -> future.complete(++state), PATIENCE);
            }
            return null;
          };
      for (Future<Void> done : callers.invokeAll(List.of(work, work, work, work))) {
        done.get();
      }
    } finally {
      callers.shutdown();
    }
    assertThat(loop.<Integer>request(future -> future.complete(state), PATIENCE))
        .isEqualTo(threads * each);
    assertThat(fatal).isEmpty();
  }

  @Test
  void anActionThatAnotherOwnerHasFencedIsFatal() {
    FencedException fenced = new FencedException("another owner has taken over");
    IOException failure = new IOException("cannot be renamed", fenced);
    List<IOException> failures = new ArrayList<>();
    MasterLoop direct = new MasterLoop(Clock.SYSTEM, new DirectLanes(), fatal::add);
    direct.perform(
        Lane.FILES,
        () -> {
          throw failure;
        },
        done -> state = -1,
        failures::add);
    direct.poll();
    assertThat(fatal).containsExactly(fenced);
    assertThat(failures).containsExactly(failure);
  }

  @Test
  void anErrorOfAnActionIsFatal() {
    Error error = new StackOverflowError("in an action");
    List<IOException> failures = new ArrayList<>();
    MasterLoop direct = new MasterLoop(Clock.SYSTEM, new DirectLanes(), fatal::add);
    assertThatThrownBy(
            () ->
                direct.perform(
                    Lane.FILES,
                    () -> {
                      throw error;
                    },
                    done -> state = -1,
                    failures::add))
        .isSameAs(error);
    direct.poll();
    assertThat(fatal).hasSize(1);
    assertThat(fatal.get(0))
        .isInstanceOf(MasterLoop.ActionError.class)
        .hasMessage("The master failed in an action of the lane files: " + error)
        .hasCause(error);
    assertThat(failures).isEmpty();
  }

  @Test
  void aClosedLoopRefusesRequests() {
    loop.close();
    assertThatThrownBy(() -> loop.request(future -> future.complete(1), PATIENCE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("stopping");
  }

  /** Runs actions at once. */
  private static final class DirectLanes implements MasterLoop.Lanes {
    @Override
    public void execute(Lane lane, Runnable action) {
      action.run();
    }

    @Override
    public void after(Duration delay, Runnable event) {}
  }
}
