package dev.cairn.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Objects that are used again and never shared. */
class ObjectPoolTest {
  private final AtomicInteger made = new AtomicInteger();
  private final ObjectPool<AtomicInteger> spares =
      new ObjectPool<>(
          () -> {
            made.incrementAndGet();
            return new AtomicInteger();
          });

  @Test
  void whatWasGivenBackComesAgain() {
    AtomicInteger first = spares.take();
    assertThat(spares.take()).isNotSameAs(first);
    spares.give(first);
    assertThat(spares.take()).isSameAs(first);
    assertThat(made).hasValue(2);
  }

  @Test
  void onlyAFewAreKept() {
    IntStream.range(0, 100).mapToObj(i -> new AtomicInteger()).forEach(spares::give);
    IntStream.range(0, 100).forEach(i -> spares.take());
    assertThat(made.get()).isBetween(90, 99);
  }

  @Test
  void nobodyHasOneThatAnotherHas() throws Exception {
    Set<AtomicInteger> seen = ConcurrentHashMap.newKeySet();
    Callable<Boolean> user =
        () -> {
          boolean alone = true;
          for (int i = 0; i < 50_000; i++) {
            AtomicInteger users = spares.take();
            seen.add(users);
            alone &= users.incrementAndGet() == 1;
            alone &= users.decrementAndGet() == 0;
            spares.give(users);
          }
          return alone;
        };
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (Future<Boolean> alone : threads.invokeAll(Collections.nCopies(4, user))) {
        assertThat(alone.get()).isTrue();
      }
    } finally {
      threads.shutdownNow();
      assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(seen).hasSizeLessThan(100);
  }
}
