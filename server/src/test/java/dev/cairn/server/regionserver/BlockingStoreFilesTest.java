package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.regionserver.hooked.HookedWork;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.maintenance.BlockingStoreFiles;
import dev.cairn.server.regionserver.maintenance.Compactions;
import dev.cairn.server.regionserver.maintenance.Flushes;
import dev.cairn.server.regionserver.maintenance.StorageRetries;
import dev.cairn.server.rpc.ManualClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Flushes of regions that have too many store files. */
class BlockingStoreFilesTest {
  private static final long WAIT_MILLIS = 90_000;

  private final ManualClock clock = new ManualClock();
  private final Deque<Runnable> work = new ArrayDeque<>();
  private final List<Throwable> fatal = new ArrayList<>();
  private final Compactions compactions =
      new Compactions(work::add, work::add, HookedWork.NONE, Clock.SYSTEM, true, region -> false);
  private final BlockingStoreFiles backlog =
      new BlockingStoreFiles(clock, WAIT_MILLIS, compactions);
  private final Flushes flushes =
      new Flushes(
          work::add,
          HookedWork.NONE,
          any -> false,
          compactions,
          backlog,
          new StorageRetries(clock),
          fatal::add);
  private final Crowded crowded = new Crowded();
  private final FakeRegion fake = new FakeRegion("a");
  private final HostedRegion region =
      new HostedRegion(
          fake.info, FakeRegion.SCHEMA, fake, fake, fake.maintenance(crowded, crowded));

  @Test
  void aFlushWaitsUntilACompactionHasMadeRoom() {
    crowded.tooMany = true;
    assertThat(flushes.request(region, "test")).isFalse();
    assertThat(crowded.done).isEmpty();
    runAll();
    assertThat(crowded.done).containsExactly("compaction");
    crowded.tooMany = false;
    assertThat(flushes.request(region, "test")).isTrue();
    runAll();
    assertThat(crowded.done).containsExactly("compaction", "flush");
  }

  @Test
  void aFlushDoesNotWaitForever() {
    crowded.tooMany = true;
    assertThat(flushes.request(region, "test")).isFalse();
    clock.advanceMillis(WAIT_MILLIS - 1);
    assertThat(flushes.request(region, "test")).isFalse();
    clock.advanceMillis(1);
    assertThat(flushes.request(region, "test")).isTrue();
    assertThat(flushes.request(region, "test")).as("the next one waits anew").isFalse();
  }

  @Test
  void whenMemoryIsShortAFlushDoesNotWait() {
    crowded.tooMany = true;
    flushes.requestUrgently(region, "test");
    runAll();
    assertThat(crowded.done).containsExactly("flush");
  }

  private void runAll() {
    while (!work.isEmpty()) {
      work.remove().run();
    }
  }

  private static final class Crowded extends FakeRegion {
    private final List<String> done = new ArrayList<>();
    private boolean tooMany;

    Crowded() {
      super("a");
    }

    @Override
    public boolean flush(FlushScope scope) {
      done.add("flush");
      return true;
    }

    @Override
    public boolean hasTooManyFiles() {
      return tooMany;
    }

    @Override
    public void compact(byte[] family, boolean major, Optional<String> requester) {
      done.add("compaction");
    }
  }
}
