package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.admin.AdminRegionCalls;
import dev.cairn.server.regionserver.hooked.HookedWork;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.maintenance.Compactions;
import dev.cairn.server.regionserver.maintenance.Splits;
import dev.cairn.server.regionserver.membership.ServerState;
import dev.cairn.server.regionserver.report.LoadReports;
import dev.cairn.server.regionserver.report.Localities;
import dev.cairn.server.rpc.ManualClock;
import dev.cairn.server.split.SplitSettings;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CompactRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.FlushRegionRequest;
import org.junit.jupiter.api.Test;

/** Tests the administrative calls to open regions. */
class AdminRegionCallsTest {
  private final ManualClock clock = new ManualClock();
  private final Deque<Runnable> work = new ArrayDeque<>();
  private final Compactions compactions =
      new Compactions(work::add, work::add, HookedWork.NONE, Clock.SYSTEM, true, region -> false);
  private final OnlineRegions regions =
      new OnlineRegions(new ServerName("localhost", 16020, 1), clock);
  private final Splits splits =
      new Splits(
          new ServerState(new ServerName("localhost", 16020, 1)),
          regions,
          new FakeMaster(),
          SplitSettings.DEFAULTS,
          clock,
          work::add);
  private final LoadReports loads =
      new LoadReports(
          regions,
          compactions,
          new Localities("localhost", clock),
          clock,
          new LoadReports.Heap(1, () -> 0),
          () -> 0,
          Set::of,
          0);
  private final AdminRegionCalls calls = new AdminRegionCalls(regions, splits, compactions, loads);
  private final FakeRegion region = new FakeRegion("a");

  @Test
  void aFlushDoesNotStartACompaction() throws IOException {
    host();
    region.needsCompaction = true;
    calls.flush(
        new FakeCall(),
        FlushRegionRequest.newBuilder().setRegion(Messages.specifier(region.info)).build());
    assertThat(region.flushes).isEqualTo(1);
    assertThat(work).isEmpty();
    calls.compact(
        new FakeCall(),
        CompactRegionRequest.newBuilder().setRegion(Messages.specifier(region.info)).build());
    assertThat(work).hasSize(1);
  }

  private void host() {
    regions.beginOpening(region.info);
    regions.opened(region.hosted());
  }
}
