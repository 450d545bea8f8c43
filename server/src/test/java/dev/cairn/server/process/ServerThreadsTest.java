package dev.cairn.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.LiveConfig;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.process.keys.ThreadKeys;
import dev.cairn.server.regionserver.hooked.HookTimes;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The threads of compactions. */
@Timeout(120)
class ServerThreadsTest {
  private static final String SMALL = "hbase.regionserver.thread.compaction.small";
  private static final String LARGE = "hbase.regionserver.thread.compaction.large";

  private static final SiteConfig NONE = new SiteConfig(Map.of());

  @Test
  void aLargeCompactionLeavesTheThreadsOfSmallOnesFree() throws Exception {
    try (ServerThreads threads = new ServerThreads(NONE, Clock.SYSTEM, new HookTimes())) {
      CountDownLatch end = new CountDownLatch(1);
      CompletableFuture<Void> large = blocked(threads.regionServer().largeCompactions(), end);
      CompletableFuture.runAsync(() -> {}, threads.regionServer().smallCompactions())
          .get(60, TimeUnit.SECONDS);
      assertThat(large).isNotDone();
      end.countDown();
      large.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void theirNumbersChangeAtRunTime() throws Exception {
    SiteConfig more = new SiteConfig(Map.of(SMALL, "3", LARGE, "2"));
    LiveConfig live = new LiveConfig(NONE, () -> more, ThreadKeys.all(), settings -> List.of());
    try (ServerThreads threads = new ServerThreads(live.current(), Clock.SYSTEM, new HookTimes())) {
      live.afterReload(() -> threads.resize(live.current()));
      CountDownLatch end = new CountDownLatch(1);
      CountDownLatch small = begun(threads.regionServer().smallCompactions(), 3, end);
      CountDownLatch large = begun(threads.regionServer().largeCompactions(), 2, end);
      live.reload();
      assertThat(small.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(large.await(60, TimeUnit.SECONDS)).isTrue();
      threads.resize(NONE);
      end.countDown();
      CompletableFuture.runAsync(() -> {}, threads.regionServer().smallCompactions())
          .get(60, TimeUnit.SECONDS);
    }
  }

  private static CompletableFuture<Void> blocked(Executor executor, CountDownLatch end) {
    return CompletableFuture.runAsync(() -> await(end), executor);
  }

  /** Returns a latch that opens when so many tasks, which wait for {@code end}, have begun. */
  private static CountDownLatch begun(Executor executor, int tasks, CountDownLatch end) {
    CountDownLatch begun = new CountDownLatch(tasks);
    for (int i = 0; i < tasks; i++) {
      executor.execute(
          () -> {
            begun.countDown();
            await(end);
          });
    }
    return begun;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
