package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.region.state.RegionClosedException;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.storage.DiskFullException;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.hooked.HookedWork;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.maintenance.BlockingStoreFiles;
import dev.cairn.server.regionserver.maintenance.Compactions;
import dev.cairn.server.regionserver.maintenance.Flushes;
import dev.cairn.server.regionserver.maintenance.MaintenanceSettings;
import dev.cairn.server.regionserver.maintenance.MemStorePressure;
import dev.cairn.server.regionserver.maintenance.StorageRetries;
import dev.cairn.server.rpc.ManualClock;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests when memstores are flushed, and what happens if they cannot be; the test runs the work. */
public class FlushesTest {
  private final ManualClock clock = new ManualClock();
  private final OnlineRegions regions =
      new OnlineRegions(new ServerName("localhost", 16020, 1), clock);
  private final FakeRegion region = new FakeRegion("");
  private final Deque<Runnable> work = new ArrayDeque<>();
  private final List<Throwable> fatal = new ArrayList<>();
  private final Flushes flushes = make(work::add, clock, fatal::add);
  private final MemStorePressure pressure =
      new MemStorePressure(
          regions,
          flushes,
          new MaintenanceSettings(10_000, 1_000, 0.95, 90_000, 1, 1, true, 1),
          clock);

  /** Returns flushes that wait for no compaction. */
  public static Flushes make(Executor executor, Clock clock, Consumer<Throwable> fatal) {
    Compactions compactions =
        new Compactions(
            Runnable::run, Runnable::run, HookedWork.NONE, Clock.SYSTEM, true, region -> false);
    return new Flushes(
        executor,
        HookedWork.NONE,
        region -> false,
        compactions,
        new BlockingStoreFiles(clock, 90_000, compactions),
        new StorageRetries(clock),
        fatal);
  }

  @Test
  void aFlushThatFailsIsTriedAgainAfterAPause() {
    FailingFlushes flushing = new FailingFlushes(new DiskFullException("data/t", "test"));
    HostedRegion failing = hosted(flushing);
    for (int i = 1; i <= 100; i++) {
      flushes.request(failing, "test");
      flushes.request(failing, "at once again");
      runAll();
      assertThat(flushing.tries).isEqualTo(i);
      clock.advanceMillis(60_000);
    }
    assertThat(fatal).as("a full disk is waited for").isEmpty();
    flushing.cause = new IOException("Input/output error");
    for (int i = 1; fatal.isEmpty(); i++) {
      assertThat(i).isLessThan(20);
      flushes.request(failing, "test");
      runAll();
      clock.advanceMillis(120_000);
    }
    assertThat(fatal).containsExactly(flushing.cause);
  }

  @Test
  void theLargestReplicasAreToBeFlushedWhenReplicasFillTheirMemory() {
    List<FakeRegion> fakes = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      FakeRegion fake = new FakeRegion("a" + i);
      fakes.add(fake);
      RegionInfo copy = fake.info.replica(1);
      regions.beginOpening(copy);
      regions.opened(new HostedRegion(copy, FakeRegion.SCHEMA, fake, fake, fake.maintenance()));
      fake.memStoreBytes = 100;
    }
    pressure.check();
    assertThat(pressure.replicaBytes()).isEqualTo(500);
    assertThat(pressure.replicasToFlush()).as("half of 1,000 bytes").isEmpty();
    fakes.get(3).memStoreBytes = 180;
    fakes.get(1).memStoreBytes = 150;
    pressure.check();
    assertThat(pressure.heldBytes()).isEqualTo(630);
    assertThat(pressure.replicasToFlush())
        .extracting(HostedRegion::encodedName)
        .as("630 - 180 - 150 - 100 is less than 250")
        .startsWith(
            fakes.get(3).info.replica(1).encodedName(), fakes.get(1).info.replica(1).encodedName())
        .hasSize(3);
    fakes.forEach(fake -> fake.memStoreBytes = 0);
    pressure.check();
    assertThat(pressure.replicasToFlush()).isEmpty();
  }

  @Test
  void aFlushOfAClosingRegionIsNoFailure() {
    HostedRegion closing = hosted(new FailingFlushes(new RegionClosedException("closing")));
    flushes.request(closing, "test");
    flushes.request(closing, "test");
    assertThat(work).hasSize(1);
    runAll();
    assertThat(fatal).isEmpty();
    assertThat(flushes.pending()).isZero();
  }

  @Test
  void theLargestMemStoresGoFirstWhenAllTogetherAreTooLarge() {
    FakeRegion large = new FakeRegion("b");
    FakeRegion small = new FakeRegion("c");
    large.memStoreBytes = 900;
    small.memStoreBytes = 100;
    for (FakeRegion each : List.of(large, small)) {
      regions.beginOpening(each.info);
      regions.opened(each.hosted());
    }
    pressure.check();
    runAll();
    assertThat(large.flushes).isEqualTo(1);
    assertThat(small.flushes).isZero();
  }

  /** Between their steps hooks may ask other servers, while memory is measured again and again. */
  @Test
  void memoryThatIsKeptForWritesInStepsCountsUntilAMemStoreHasIt() throws IOException {
    FakeRegion region = new FakeRegion("b");
    regions.beginOpening(region.info);
    regions.opened(region.hosted());
    pressure.keep(500);
    pressure.check();
    assertThatThrownBy(() -> pressure.reserve(501)).isInstanceOf(RegionBusyException.class);
    assertThatThrownBy(() -> pressure.keep(501)).isInstanceOf(RegionBusyException.class);
    pressure.reserve(500);
    pressure.check(); // the other write is not in a memstore yet
    pressure.releaseKept(500);
    pressure.keep(1_000);
    assertThatThrownBy(() -> pressure.reserve(1)).isInstanceOf(RegionBusyException.class);
    region.memStoreBytes = 400;
    pressure.usedKept(400);
    pressure.check();
    assertThat(pressure.heldBytes()).isEqualTo(1_000);
    pressure.releaseKept(600);
    assertThat(pressure.heldBytes()).isEqualTo(400);
    pressure.reserve(600);
  }

  @Test
  void recoveredEditsAreFlushedOnceNoRegionOpens() {
    FakeRegion recovered = recovered();
    FakeRegion next = new FakeRegion("c");
    regions.beginOpening(next.info);
    pressure.check();
    runAll();
    assertThat(recovered.flushes).isZero();
    regions.opened(next.hosted());
    pressure.check();
    runAll();
    assertThat(recovered.flushes).isEqualTo(1);
  }

  @Test
  void recoveredEditsAreFlushedThoughAnOpeningHangs() {
    FakeRegion recovered = recovered();
    regions.beginOpening(new FakeRegion("c").info);
    pressure.check();
    clock.advanceMillis(5_001);
    pressure.check();
    runAll();
    assertThat(recovered.flushes).isEqualTo(1);
  }

  private FakeRegion recovered() {
    FakeRegion recovered = new FakeRegion("b");
    recovered.recoveredEdits = true;
    regions.beginOpening(recovered.info);
    regions.opened(recovered.hosted());
    return recovered;
  }

  @Test
  void theNextLargestMemStoreIsFlushedWhileTheLargestRestsAfterAFailure() {
    FailingFlushes flushing = new FailingFlushes(new IOException("Input/output error"));
    FakeRegion next = open(flushing);
    pressure.check();
    runAll();
    assertThat(flushing.tries).isEqualTo(1);
    assertThat(next.flushes).as("while the largest is flushed").isZero();
    pressure.check();
    runAll();
    assertThat(flushing.tries).as("while it rests").isEqualTo(1);
    assertThat(next.flushes).isEqualTo(1);
  }

  @Test
  void aDueMemStoreThatRestsAfterAFailureDoesNotCountAsBeingFlushed() {
    FailingFlushes flushing = new FailingFlushes(new IOException("Input/output error"));
    flushing.overdue = true;
    FakeRegion next = open(flushing);
    pressure.check();
    runAll();
    pressure.check();
    runAll();
    assertThat(flushing.tries).isEqualTo(1);
    assertThat(next.flushes).isEqualTo(1);
    assertThat(flushes.request(hosted(flushing), "test")).as("while it rests").isFalse();
    clock.advanceMillis(60_000);
    assertThat(flushes.request(hosted(flushing), "test")).isTrue();
    assertThat(flushes.request(hosted(flushing), "test")).as("while one waits").isTrue();
  }

  /**
   * Opens a region of 900 bytes whose flushes fail, and another one of 100 bytes, which it returns.
   */
  private FakeRegion open(FailingFlushes flushing) {
    FakeRegion other = new FakeRegion("b");
    region.memStoreBytes = 900;
    other.memStoreBytes = 100;
    for (HostedRegion each : List.of(hosted(flushing), other.hosted())) {
      regions.beginOpening(each.info());
      regions.opened(each);
    }
    return other;
  }

  @Test
  void nothingIsWrittenWhileAllMemStoresTogetherHoldTooMuch() throws IOException {
    regions.beginOpening(region.info);
    regions.opened(region.hosted());
    region.memStoreBytes = 1_001;
    pressure.check();
    assertThatThrownBy(() -> pressure.reserve(0))
        .isInstanceOf(RegionBusyException.class)
        .hasMessageContaining("hbase.regionserver.global.memstore.size");
    clock.advanceMillis(7);
    assertThat(pressure.blockedNanos()).isEqualTo(7_000_000);
    region.memStoreBytes = 1_000;
    pressure.check();
    pressure.reserve(0);
    clock.advanceMillis(7);
    assertThat(pressure.blockedNanos()).isEqualTo(7_000_000);
  }

  @Test
  void aWriteCountsBeforeMemStoresAreMeasuredAgain() throws IOException {
    regions.beginOpening(region.info);
    regions.opened(region.hosted());
    pressure.reserve(600);
    assertThat(pressure.heldBytes()).isEqualTo(600);
    assertThatThrownBy(() -> pressure.reserve(600)).isInstanceOf(RegionBusyException.class);
    pressure.check(); // the region has flushed meanwhile
    pressure.reserve(600);
  }

  @Test
  void aWriteThatComesToNothingDoesNotCount() throws IOException {
    pressure.reserve(600);
    pressure.release(600);
    assertThat(pressure.heldBytes()).isZero();
    pressure.reserve(600);
  }

  @Test
  void memoryThatReadsKeepAfterAFlushCounts() throws IOException {
    regions.beginOpening(region.info);
    regions.opened(region.hosted());
    region.memStoreBytes = 100;
    region.flushedBytesInUse = 901;
    pressure.check();
    assertThatThrownBy(() -> pressure.reserve(0)).isInstanceOf(RegionBusyException.class);
    runAll();
    assertThat(region.flushes).as("flushes of a small memstore").isZero();
    region.flushedBytesInUse = 0;
    pressure.check();
    pressure.reserve(0);
  }

  @Test
  void roomIsMadeForAWriteThatWasRefusedBelowTheLimit() throws IOException {
    regions.beginOpening(region.info);
    regions.opened(region.hosted());
    region.memStoreBytes = 500; // nothing is flushed for its own sake up to 950
    pressure.check();
    runAll();
    assertThat(region.flushes).isZero();
    assertThatThrownBy(() -> pressure.reserve(600)).isInstanceOf(RegionBusyException.class);
    pressure.check();
    runAll();
    assertThat(region.flushes).isEqualTo(1);
  }

  @Test
  void idleMemStoresAreLookedAtSeldom() throws IOException {
    regions.beginOpening(region.info);
    regions.opened(region.hosted());
    checkUntilCalm();
    pressure.reserve(1);
    assertThat(pressure.isDue()).as("after a write").isTrue();
    checkUntilCalm();
    FakeRegion other = new FakeRegion("b");
    regions.beginOpening(other.info);
    regions.opened(other.hosted());
    assertThat(pressure.isDue()).as("after a region came").isTrue();
    checkUntilCalm();
    clock.advanceMillis(9_999);
    assertThat(pressure.isDue()).isFalse();
    clock.advanceMillis(1);
    assertThat(pressure.isDue()).as("because writes age").isTrue();
  }

  @Test
  void memStoresAreLookedAtAgainUntilTheirFlushHasFreedMemory() {
    regions.beginOpening(region.info);
    regions.opened(region.hosted());
    checkUntilCalm();
    region.memStoreBytes = 1_000;
    pressure.check();
    pressure.check();
    assertThat(pressure.isDue()).as("while a flush waits").isTrue();
    runAll();
    region.flushedBytesInUse = 10;
    pressure.check();
    assertThat(pressure.isDue()).as("while reads use flushed memory").isTrue();
    region.flushedBytesInUse = 0;
    checkUntilCalm();
    assertThat(pressure.heldBytes()).isZero();
  }

  private void checkUntilCalm() {
    for (int checks = 0; pressure.isDue(); checks++) {
      assertThat(checks).isLessThan(3);
      pressure.check();
    }
  }

  private HostedRegion hosted(FailingFlushes failing) {
    return new HostedRegion(
        region.info, FakeRegion.SCHEMA, region, region, region.maintenance(failing, region));
  }

  private void runAll() {
    while (!work.isEmpty()) {
      work.remove().run();
    }
  }

  private final class FailingFlushes extends FakeRegion {
    private IOException cause;
    private boolean overdue;
    private int tries;

    FailingFlushes(IOException cause) {
      super("");
      this.cause = cause;
    }

    @Override
    public boolean flush(FlushScope scope) throws IOException {
      tries++;
      throw cause;
    }

    @Override
    public boolean isFlushOverdue() {
      return overdue;
    }

    @Override
    public long memStoreBytes() {
      return region.memStoreBytes;
    }
  }
}
