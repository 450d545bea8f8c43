package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.G;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.region.bulkload.BulkLoadOutcome;
import dev.cairn.engine.region.bulkload.BulkLoadRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.StorageOperation;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server falls asleep in a bulk load. Its region is opened elsewhere, where the client repeats
 * the load, and the first server wakes up in the middle of that. Afterwards the region has all of
 * the load, or nothing and the files are where they were. The test takes some pairs of steps for
 * falling asleep and waking up; {@code -Dgroups=long} takes every pair.
 */
@Tag("forms")
class WokenLoadTest {
  private static final String SOURCE_F = "staging/token/f/1";
  private static final String SOURCE_G = "staging/token/g/1";
  private static final List<String> ALL = List.of("b/f:q=loaded", "b/g:q=loaded");
  private static final int STRIDE = Boolean.getBoolean("cairn.long") ? 1 : 23;
  private static final BulkLoadRequest LOAD =
      new BulkLoadRequest(
          "0a",
          List.of(new BulkLoadRequest.File(F, SOURCE_F), new BulkLoadRequest.File(G, SOURCE_G)),
          BulkLoadRequest.Sequence.NEW,
          BulkLoadRequest.Check.ENDS);

  /** Runs something at one step of a thread. */
  private static final class Step {
    private final int number;
    private final Runnable action;
    private Thread thread;
    private int steps;

    Step(int number, Runnable action) {
      this.number = number;
      this.action = action;
    }

    /** Begins to count the steps of the current thread. */
    synchronized void begin() {
      thread = Thread.currentThread();
    }

    /** Fails no operation. */
    boolean at(StorageOperation operation, String path) {
      synchronized (this) {
        if (Thread.currentThread() != thread || ++steps != number) {
          return false;
        }
      }
      action.run();
      return false;
    }

    synchronized boolean isReached() {
      return steps >= number;
    }
  }

  /** A load by a server that falls asleep at one step. */
  private static final class Sleeper {
    private final CountDownLatch asleep = new CountDownLatch(1);
    private final CountDownLatch awake = new CountDownLatch(1);
    private final Step sleep;
    private Thread thread;

    Sleeper(int step) {
      this.sleep =
          new Step(
              step,
              () -> {
                asleep.countDown();
                await(awake);
              });
    }

    /** Loads until the server sleeps; returns false if the load ended before. */
    boolean sleeps(Region region) {
      thread =
          new Thread(
              () -> {
                sleep.begin();
                try {
                  region.bulkLoad(LOAD);
                } catch (IOException e) {
                  // Another server has the region.
                } finally {
                  asleep.countDown();
                }
              },
              "sleeper");
      thread.start();
      await(asleep);
      return sleep.isReached();
    }

    void wakeAndJoin() {
      awake.countDown();
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private static void await(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static RegionHarness harness(String tracker) throws IOException {
    Map<String, String> attributes = Map.of("hbase.store.file-tracker.impl", tracker);
    return new RegionHarness(
        TableSchema.of(
            TableName.parse("t"),
            FamilySchema.of("f", attributes),
            FamilySchema.of("g", attributes)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "FILE"})
  void aLoadThatSleptDoesNotDisturbItsRepetitionElsewhere(String tracker) throws IOException {
    boolean sleeps = true;
    for (int asleep = 1; sleeps; asleep++) {
      boolean wakesInTime = true;
      for (int awake = 1 + asleep % STRIDE; sleeps && wakesInTime; awake += STRIDE) {
        try (RegionHarness harness = harness(tracker)) {
          Sleeper sleeper = new Sleeper(asleep);
          harness.closeCleanly();
          harness.failWith(sleeper.sleep::at);
          harness.open();
          BulkLoadTest.write(harness, SOURCE_F, F, 5, "loaded", "b");
          BulkLoadTest.write(harness, SOURCE_G, G, 5, "loaded", "b");
          sleeps = sleeper.sleeps(harness.region());
          Step wake = new Step(awake, sleeper::wakeAndJoin);
          boolean loaded = isLoadedElsewhere(harness, wake);
          wakesInTime = wake.isReached();
          sleeper.wakeAndJoin();
          harness.failWith((operation, path) -> false);
          harness.kill();
          String when = "asleep at step %d, awake at step %d".formatted(asleep, awake);
          if (loaded || harness.memory().list("staging/token/f").isEmpty()) {
            assertThat(harness.dump()).as(when).isEqualTo(ALL);
          } else {
            assertThat(harness.dump()).as(when).isEmpty();
            assertThat(harness.memory().exists(SOURCE_G)).as(when).isTrue();
          }
          assertThat(harness.region().bulkLoad(LOAD))
              .as(when)
              .isInstanceOf(BulkLoadOutcome.Loaded.class);
          assertThat(harness.dump()).as(when).isEqualTo(ALL);
          assertThat(harness.memory().list(harness.directory() + "/.bulkload")).as(when).isEmpty();
        }
      }
    }
  }

  /** Opens the region elsewhere and repeats the load; tells whether that succeeded. */
  private static boolean isLoadedElsewhere(RegionHarness harness, Step wake) throws IOException {
    wake.begin();
    RegionHarness.Elsewhere next;
    try {
      next = harness.openElsewhere(wake::at);
    } catch (IOException e) {
      return false;
    }
    try {
      return next.region().bulkLoad(LOAD) instanceof BulkLoadOutcome.Loaded;
    } catch (IOException e) {
      return false;
    } finally {
      next.region().context().wal().close();
    }
  }
}
