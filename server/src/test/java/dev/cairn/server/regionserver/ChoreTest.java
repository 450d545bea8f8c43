package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.regionserver.membership.Chore;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A chore that a timer starts. */
class ChoreTest {
  private final Queue<Runnable> begun = new ArrayDeque<>();
  private final CalledTimer timer = new CalledTimer();
  private boolean isDue = true;
  private int runs;

  /** Keeps the last task, and runs none. */
  private static final class CalledTimer extends ScheduledThreadPoolExecutor {
    private Runnable task = () -> {};

    CalledTimer() {
      super(0);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(
        Runnable task, long initialDelay, long delay, TimeUnit unit) {
      this.task = task;
      return null;
    }
  }

  @Test
  void isNotStartedWhileItHasNothingToDo() {
    new Chore("test", begun::add, () -> isDue, () -> runs++).every(1, timer);
    isDue = false;
    timer.task.run();
    assertThat(begun).isEmpty();
    isDue = true;
    timer.task.run();
    begun.remove().run();
    assertThat(runs).isEqualTo(1);
  }

  @Test
  void isNotStartedWhileItRuns() {
    new Chore("test", begun::add, () -> runs++).every(1, timer);
    timer.task.run();
    timer.task.run();
    assertThat(begun).hasSize(1);
    begun.remove().run();
    timer.task.run();
    assertThat(begun).hasSize(1);
  }
}
