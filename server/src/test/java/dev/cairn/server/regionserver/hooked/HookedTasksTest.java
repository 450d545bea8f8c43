package dev.cairn.server.regionserver.hooked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.regionserver.hooked.HookTimes.Visit;
import dev.cairn.server.rpc.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that hooks which do not return keep threads from their own table alone. */
class HookedTasksTest {
  private static final TableName BAD = TableName.parse("bad");
  private static final TableName OTHER = TableName.parse("other");
  private static final TableName THIRD = TableName.parse("third");

  private final ManualClock clock = new ManualClock();
  private final HookTimes times = new HookTimes();
  private final Queue<String> begun = new ConcurrentLinkedQueue<>();
  private final Queue<String> ended = new ConcurrentLinkedQueue<>();
  private final CountDownLatch release = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();
  private final HookedTasks tasks =
      new HookedTasks(HookedWork.Kind.FLUSH, this::start, clock, times, () -> 2);

  private void start(Runnable task) {
    Thread thread = new Thread(task);
    synchronized (threads) {
      threads.add(thread);
    }
    thread.start();
  }

  @AfterEach
  void end() throws InterruptedException {
    release.countDown();
    await().until(() -> begun.size() == ended.size());
    List<Thread> all;
    synchronized (threads) {
      all = List.copyOf(threads);
    }
    for (Thread thread : all) {
      thread.join();
    }
  }

  /** Adds a task with a hook that does not return before the test's end. */
  private void addHanging(TableName table, String name) {
    tasks.add(
        table,
        () -> {
          HookTimes.Slot slot = times.slot();
          slot.enter(new Visit(table, "Hook", "preFlush", clock.nanoTime()));
          begun.add(name);
          try {
            release.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          } finally {
            slot.leave();
            ended.add(name);
          }
        });
  }

  private void addWaiting(TableName table, String name) {
    addWaiting(table, name, release);
  }

  private void addWaiting(TableName table, String name, CountDownLatch end) {
    tasks.add(
        table,
        () -> {
          begun.add(name);
          try {
            end.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          } finally {
            ended.add(name);
          }
        });
  }

  private void add(TableName table, String name) {
    tasks.add(
        table,
        () -> {
          begun.add(name);
          ended.add(name);
        });
  }

  private void awaitBegun(String... names) {
    await().untilAsserted(() -> assertThat(begun).containsExactlyInAnyOrder(names));
  }

  private void pass(long seconds) {
    clock.advanceNanos(seconds * 1_000_000_000L + 1);
  }

  @Test
  void asManyRunAsTheLimitAllows() {
    addWaiting(BAD, "1");
    addWaiting(BAD, "2");
    add(OTHER, "3");
    awaitBegun("1", "2");
    pass(1_000);
    assertThat(tasks.check()).isTrue(); // no hook runs: they work
    awaitBegun("1", "2");
    release.countDown();
    awaitBegun("1", "2", "3");
  }

  @Test
  void hooksThatDoNotReturnHoldNoTaskOfAnotherTable() {
    addHanging(BAD, "1");
    addHanging(BAD, "2");
    awaitBegun("1", "2");
    addHanging(BAD, "3");
    add(OTHER, "4");
    add(THIRD, "5");
    pass(9);
    tasks.check();
    awaitBegun("1", "2");
    pass(1);
    tasks.check();
    awaitBegun("1", "2", "4", "5"); // and not 3: its table has two
    tasks.check();
    awaitBegun("1", "2", "4", "5");
    release.countDown();
    awaitBegun("1", "2", "3", "4", "5");
  }

  @Test
  void aTaskThatWaitsForAnotherThreadInAHookIsOverdueAsWell() {
    HookTimes.Slot slot = times.slot(); // of this thread
    slot.enter(new Visit(BAD, "Hook", "preFlush", clock.nanoTime()));
    addWaiting(BAD, "1");
    addWaiting(BAD, "2");
    awaitBegun("1", "2");
    add(OTHER, "3");
    pass(11);
    tasks.check();
    awaitBegun("1", "2", "3");
    slot.leave();
  }

  @Test
  void aTableWithoutATaskGoesFirst() {
    CountDownLatch end = new CountDownLatch(1);
    addWaiting(BAD, "1", release);
    addWaiting(OTHER, "2", end);
    awaitBegun("1", "2");
    addWaiting(BAD, "3", release);
    addWaiting(THIRD, "4", release);
    end.countDown();
    awaitBegun("1", "2", "4");
  }

  @Test
  void aTableIsHeldAfterASecondInAFlushHook() {
    addHanging(BAD, "1");
    awaitBegun("1");
    assertThat(tasks.isHeld(BAD)).isFalse();
    pass(1);
    assertThat(tasks.isHeld(BAD)).isTrue();
    assertThat(tasks.isHeld(OTHER)).isFalse();
    pass(10);
    tasks.check();
    assertThat(tasks.isHeld(BAD)).isTrue();
  }

  @Test
  void aTaskThatFailsGivesItsPlaceBack() {
    for (int i = 0; i < 4; i++) {
      String name = "fails " + i;
      tasks.add(
          BAD,
          () -> {
            begun.add(name);
            ended.add(name);
            Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> {});
            throw new IllegalStateException(name);
          });
    }
    await().until(() -> ended.size() == 4);
    await().until(() -> !tasks.check());
  }
}
