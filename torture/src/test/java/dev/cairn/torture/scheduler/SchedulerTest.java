package dev.cairn.torture.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the guarantees of the scheduler for simulated code. */
class SchedulerTest {
  private static final long SECOND = 1_000_000_000L;

  private final Scheduler scheduler = new Scheduler(new SplittableRandom(7));
  private final List<String> seen = new ArrayList<>();

  @AfterEach
  void close() {
    scheduler.close();
  }

  private boolean runAll() {
    return scheduler.run(() -> false, 100 * SECOND);
  }

  @Test
  void aParkedThreadGoesOnWhenItsTimeIsOver_andOnlyThenDoesTimePass() {
    Machine machine = scheduler.machine("a");
    machine.spawn(
        "sleeper",
        () -> {
          long began = machine.clock().nanoTime();
          machine.clock().park(5 * SECOND);
          seen.add((machine.clock().nanoTime() - began) / SECOND + " s");
        });
    runAll();
    assertThat(seen).containsExactly("5 s");
  }

  @Test
  void aFutureWakesItsWaiter_alsoOnAnotherMachine() {
    Machine one = scheduler.machine("one");
    Machine two = scheduler.machine("two");
    CompletableFuture<String> future = new CompletableFuture<>();
    one.spawn("waiter", () -> seen.add(one.clock().join(future)));
    two.spawn(
        "giver",
        () -> {
          two.clock().park(SECOND);
          future.complete("given");
        });
    assertThat(scheduler.run(() -> !seen.isEmpty(), 10 * SECOND)).isTrue();
    assertThat(scheduler.nanos()).isEqualTo(SECOND);
  }

  @Test
  void aWaitForAFutureEndsWithItsTime() {
    Machine machine = scheduler.machine("a");
    machine.spawn(
        "waiter",
        () -> {
          try {
            seen.add("" + machine.clock().await(new CompletableFuture<>(), 3 * SECOND));
          } catch (InterruptedException e) {
            seen.add("interrupted");
          }
        });
    runAll();
    assertThat(seen).containsExactly("false");
  }

  @Test
  void aFrozenMachineDoesNothing_andItsClockGoesOn() {
    Machine machine = scheduler.machine("a");
    machine
        .timer()
        .scheduleWithFixedDelay(() -> seen.add("tick"), SECOND, SECOND, TimeUnit.NANOSECONDS);
    machine.freeze();
    scheduler.run(() -> false, 10 * SECOND);
    assertThat(seen).isEmpty();
    machine.thaw();
    scheduler.run(() -> !seen.isEmpty(), SECOND);
    assertThat(seen).containsExactly("tick");
    assertThat(machine.clock().nanoTime()).isEqualTo(10 * SECOND);
  }

  @Test
  void aSuspendedMachineHasLessTime_andItsWallClockIsRightAfterwards() {
    Machine machine = scheduler.machine("a");
    long began = machine.clock().currentTimeMillis();
    machine.timer().schedule(() -> seen.add("due"), 3, TimeUnit.SECONDS);
    scheduler.run(() -> false, SECOND);
    machine.suspend();
    scheduler.run(() -> false, 10 * SECOND);
    assertThat(machine.isSuspended()).isTrue();
    machine.thaw();
    assertThat(machine.isSuspended()).isFalse();
    assertThat(machine.clock().nanoTime()).isEqualTo(SECOND);
    assertThat(machine.clock().currentTimeMillis() - began).isEqualTo(11_000);
    scheduler.run(() -> false, 2 * SECOND - 1);
    assertThat(seen).isEmpty();
    scheduler.run(() -> false, 1);
    assertThat(seen).containsExactly("due");
  }

  @Test
  void aStoppedMachineEndsItsThreadsWhereTheyWait() {
    Machine machine = scheduler.machine("a");
    machine.spawn(
        "waiter",
        () -> {
          try {
            machine.clock().park(Long.MAX_VALUE);
            seen.add("went on");
          } finally {
            seen.add("unwound");
          }
        });
    scheduler.run(() -> false, SECOND);
    machine.stop();
    machine.spawn("late", () -> seen.add("late"));
    runAll();
    assertThat(seen).containsExactly("unwound");
  }

  @Test
  void anExecutorRunsNoMoreTasksAtATimeThanItHasThreads() {
    Machine machine = scheduler.machine("a");
    var executor = machine.executor("pool", 2);
    for (int i = 0; i < 4; i++) {
      int task = i;
      executor.execute(
          () -> {
            seen.add("begin");
            machine.clock().park(SECOND);
            seen.add("end");
          });
    }
    scheduler.run(() -> false, SECOND / 2);
    assertThat(seen).containsExactly("begin", "begin");
    runAll();
    assertThat(seen).filteredOn("end"::equals).hasSize(4);
  }

  @Test
  void alarmsComeInTheOrderOfTheirTimes_andCancelledOnesDoNot() {
    SplittableRandom random = new SplittableRandom(11);
    List<Scheduler.Alarm> alarms = new ArrayList<>();
    List<Integer> expected = new ArrayList<>();
    int[] seconds = random.ints(1_000, 0, 90).toArray();
    List<Integer> happened = new ArrayList<>();
    for (int i = 0; i < seconds.length; i++) {
      int number = i;
      alarms.add(scheduler.after(seconds[i] * SECOND, () -> happened.add(number)));
    }
    for (int i = 0; i < seconds.length; i++) {
      if (random.nextInt(3) > 0) {
        assertThat(alarms.get(i).cancel()).isTrue();
        assertThat(alarms.get(i).cancel()).isFalse();
      } else {
        expected.add(i);
      }
    }
    expected.sort(Comparator.comparingInt(i -> seconds[i])); // stable: equal times by number
    runAll();
    assertThat(happened).isEqualTo(expected);
    assertThat(alarms.get(happened.get(0)).cancel()).isFalse();
  }

  @Test
  void aCancelledTaskOfTheTimerDoesNotRun() {
    Machine machine = scheduler.machine("a");
    ScheduledFuture<?> task = machine.timer().schedule(() -> seen.add("ran"), 1, TimeUnit.SECONDS);
    task.cancel(false);
    runAll();
    assertThat(seen).isEmpty();
  }

  @Test
  void clocksDriftAndJump() {
    Machine machine = scheduler.machine("a");
    machine.drift(1.01);
    long before = machine.clock().currentTimeMillis();
    scheduler.run(() -> false, 100 * SECOND);
    machine.jump(-7_000);
    assertThat(machine.clock().nanoTime()).isEqualTo(101 * SECOND);
    assertThat(machine.clock().currentTimeMillis() - before).isEqualTo(100_000 - 7_000);
  }

  @Test
  void theSeedDecidesTheOrder() {
    assertThat(order(1)).isEqualTo(order(1)).isNotEqualTo(order(2));
  }

  @Test
  void virtualThreadsKeepTheOrder() {
    assumeTrue(VirtualThreads.areAvailable(), "needs Java 24 and --add-opens java.base/java.lang");
    assertThat(turns(new VirtualThreads())).isEqualTo(turns(new PlatformThreads())).hasSize(60);
  }

  /** Runs threads that wait for each other, are interrupted, frozen and stopped. */
  private static List<String> turns(ThreadSwitch threads) {
    List<String> turns = new ArrayList<>();
    try (Scheduler scheduler = new Scheduler(new SplittableRandom(5), threads)) {
      Machine machine = scheduler.machine("a");
      List<Thread> all = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        int number = i;
        machine.spawn(
            "t" + i,
            () -> {
              all.add(Thread.currentThread());
              turns.add(number + " begins");
              synchronized (new Object()) {
                machine.clock().park(number % 4 == 0 ? Long.MAX_VALUE : SECOND);
              }
              turns.add(number + (Thread.interrupted() ? " is interrupted" : " goes on"));
              try {
                machine.clock().park(Long.MAX_VALUE);
              } finally {
                turns.add(number + " ends");
              }
            });
      }
      Machine other = scheduler.machine("b");
      other.spawn(
          "interrupter",
          () -> {
            other.clock().park(2 * SECOND);
            all.forEach(Thread::interrupt);
          });
      scheduler.run(() -> false, 10 * SECOND);
      machine.freeze();
      machine.stop();
      scheduler.run(() -> false, SECOND);
    }
    return turns;
  }

  private static List<Integer> order(long seed) {
    List<Integer> order = new ArrayList<>();
    try (Scheduler scheduler = new Scheduler(new SplittableRandom(seed))) {
      Machine machine = scheduler.machine("a");
      for (int i = 0; i < 20; i++) {
        int number = i;
        machine.spawn("t", () -> order.add(number));
      }
      scheduler.run(() -> false, 1);
    }
    return order;
  }

  @Test
  void aThreadWaitsForAMonitorThatAThreadOfAnotherSchedulerHas() throws InterruptedException {
    Object shared = new Object();
    Machine machine = scheduler.machine("a");
    CountDownLatch taken = new CountDownLatch(1);
    AtomicReference<Thread> simulated = new AtomicReference<>();
    Thread other =
        new Thread(
            () -> {
              synchronized (shared) {
                taken.countDown();
                while (simulated.get() == null
                    || simulated.get().getState() != Thread.State.BLOCKED) {
                  Thread.onSpinWait();
                }
              }
            });
    other.start();
    taken.await();
    machine.spawn(
        "contender",
        () -> {
          simulated.set(Thread.currentThread());
          synchronized (shared) {
            seen.add("has it");
          }
          machine.clock().park(SECOND);
          seen.add("goes on");
        });
    runAll();
    other.join();
    assertThat(seen).containsExactly("has it", "goes on");
  }

  @Test
  void anUncaughtErrorEndsTheRun() {
    scheduler
        .machine("a")
        .spawn(
            "bad",
            () -> {
              throw new AssertionError("wrong");
            });
    assertThatThrownBy(this::runAll).hasRootCauseMessage("wrong");
  }
}
