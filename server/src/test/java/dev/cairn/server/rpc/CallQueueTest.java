package dev.cairn.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CallQueueTest {
  private static CallQueue queue(int capacity, int handlers) {
    return new CallQueue("test", capacity, handlers, RpcFixture.DAEMONS, Clock.SYSTEM);
  }

  private static CallQueue.Task task(Runnable run, Runnable drop) {
    return new CallQueue.Task() {
      @Override
      public void run() {
        run.run();
      }

      @Override
      public void drop() {
        drop.run();
      }
    };
  }

  @Test
  void runsEveryCallOnceHoweverTheyCome() throws Exception {
    for (int handlers : new int[] {1, 2, 7}) {
      int producers = 4;
      int each = 20_000;
      CallQueue queue = queue(Integer.MAX_VALUE, handlers);
      AtomicIntegerArray runs = new AtomicIntegerArray(producers * each);
      CountDownLatch left = new CountDownLatch(producers * each);
      List<Thread> threads = new ArrayList<>();
      for (int p = 0; p < producers; p++) {
        int first = p * each;
        Thread thread =
            new Thread(
                () -> {
                  for (int i = first; i < first + each; i++) {
                    int number = i;
                    queue.offer(
                        task(
                            () -> {
                              runs.incrementAndGet(number);
                              left.countDown();
                            },
                            () -> {}));
                    if (i % 50 == 0) {
                      LockSupport.parkNanos(1_000); // lets the handlers fall asleep now and then
                    }
                  }
                });
        threads.add(thread);
        thread.start();
      }
      assertThat(left.await(60, TimeUnit.SECONDS))
          .as("all run, with %s handlers", handlers)
          .isTrue();
      for (int i = 0; i < runs.length(); i++) {
        assertThat(runs.get(i)).isEqualTo(1);
      }
      assertThat(queue.handlers()).isBetween(1, handlers);
      assertThat(queue.close(20_000)).isTrue();
      assertThat(queue.waiting()).isZero();
      assertThat(queue.active()).isZero();
    }
  }

  @Test
  void aCallThatLeavesAPermitToParkDoesNotEndItsHandler() throws Exception {
    CallQueue queue = queue(10, 1);
    CompletableFuture<Thread> handler = new CompletableFuture<>();
    queue.offer(
        task(
            () -> {
              LockSupport.unpark(Thread.currentThread());
              handler.complete(Thread.currentThread());
            },
            () -> {}));
    Thread thread = handler.get(60, TimeUnit.SECONDS);
    Waiting.waitUntil(() -> !thread.isAlive() || thread.getState() == Thread.State.TIMED_WAITING);
    assertThat(thread.isAlive()).as("the handler waits for more calls").isTrue();
    assertThat(queue.handlers()).isEqualTo(1);
    assertThat(queue.close(20_000)).isTrue();
  }

  @Test
  void callsThatBlockEachOtherRunAtTheSameTime() throws Exception {
    int handlers = 10;
    CallQueue queue = queue(100, handlers);
    CountDownLatch together = new CountDownLatch(handlers);
    CountDownLatch done = new CountDownLatch(handlers);
    for (int i = 0; i < handlers; i++) {
      queue.offer(
          task(
              () -> {
                together.countDown();
                try {
                  together.await();
                } catch (InterruptedException e) {
                  return;
                }
                done.countDown();
              },
              () -> {}));
    }
    assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(queue.handlers()).isEqualTo(handlers);
    assertThat(queue.close(20_000)).isTrue();
  }

  @Test
  void callsToBeDroppedTakeNoCallsPlaceAndAreNotMoreThanThose() throws Exception {
    int capacity = 3;
    CallQueue queue = queue(capacity, 1);
    Gate gate = new Gate();
    queue.offer(
        task(
            () -> {
              gate.pass();
            },
            () -> {}));
    gate.awaitReached();
    AtomicInteger held = new AtomicInteger();
    AtomicInteger ran = new AtomicInteger();
    for (int i = 0; i < 100; i++) {
      held.incrementAndGet();
      queue.drop(task(() -> {}, held::decrementAndGet));
      assertThat(held.get()).isEqualTo(Math.min(i + 1, capacity));
    }
    assertThat(queue.waiting()).isZero();
    for (int i = 0; i < capacity; i++) {
      assertThat(queue.offer(task(ran::incrementAndGet, () -> {}))).isTrue();
    }
    assertThat(queue.offer(task(ran::incrementAndGet, () -> {}))).isFalse();
    assertThat(queue.waiting()).isEqualTo(capacity);
    gate.open();
    Waiting.waitUntil(() -> ran.get() == capacity);
    assertThat(held).hasValue(0);
    assertThat(queue.waiting()).isZero();
    assertThat(queue.close(20_000)).isTrue();
  }

  @Test
  void aCallForWhichNoThreadCanBeStartedIsAnsweredByAnotherHandler() throws Exception {
    AtomicInteger left = new AtomicInteger();
    ThreadFactory few =
        task -> {
          if (left.getAndDecrement() <= 0) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          return RpcFixture.DAEMONS.newThread(task);
        };
    CallQueue queue = new CallQueue("test", 10, 5, few, Clock.SYSTEM);
    AtomicInteger ran = new AtomicInteger();
    Gate gate = new Gate();
    assertThatThrownBy(() -> queue.offer(task(ran::incrementAndGet, () -> {})))
        .as("nobody would get to it")
        .isInstanceOf(OutOfMemoryError.class);
    left.set(1);
    queue.offer(
        task(
            () -> {
              gate.pass();
              ran.incrementAndGet();
            },
            () -> {}));
    gate.awaitReached();
    assertThat(queue.offer(task(ran::incrementAndGet, () -> {}))).isTrue();
    gate.open();
    Waiting.waitUntil(() -> ran.get() == 3);
    assertThat(queue.handlers()).isEqualTo(1);
    assertThat(queue.close(20_000)).isTrue();
  }

  @Test
  void dropsWhatWaitsWhenClosedAndTakesNothingMore() throws Exception {
    CallQueue queue = queue(100, 1);
    Gate gate = new Gate();
    AtomicInteger ran = new AtomicInteger();
    AtomicInteger dropped = new AtomicInteger();
    queue.offer(
        task(
            () -> {
              gate.pass();
              ran.incrementAndGet();
            },
            dropped::incrementAndGet));
    gate.awaitReached();
    for (int i = 0; i < 3; i++) {
      queue.offer(task(ran::incrementAndGet, dropped::incrementAndGet));
    }
    assertThat(queue.close(1)).as("one call is still running").isFalse();
    assertThat(dropped).hasValue(3);
    assertThat(queue.offer(task(ran::incrementAndGet, dropped::incrementAndGet))).isFalse();
    gate.open();
    assertThat(queue.close(20_000)).isTrue();
    assertThat(ran).as("the running call was not interrupted").hasValue(1);
  }
}
