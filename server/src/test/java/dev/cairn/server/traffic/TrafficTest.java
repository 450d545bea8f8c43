package dev.cairn.server.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.server.loadsplit.LoadSample;
import dev.cairn.server.loadsplit.LoadSampler;
import dev.cairn.server.rpc.ManualClock;
import dev.cairn.server.traffic.Traffic.Caller;
import dev.cairn.server.traffic.heatmap.HeatStep;
import dev.cairn.server.traffic.heatmap.TrafficMetric;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Samples of calls become rates, hot keys and heat maps. */
class TrafficTest {
  private static final TableName TABLE = TableName.parse("t");
  private static final RegionInfo LOW = new RegionInfo(TABLE, new byte[0], Bytes.utf8("m"), 1);
  private static final RegionInfo HIGH = new RegionInfo(TABLE, Bytes.utf8("m"), new byte[0], 1);

  private final SplittableRandom random = new SplittableRandom(11);
  private final ManualClock clock = new ManualClock();
  private final Traffic traffic = Traffic.recorded("a,1", clock, new MemoryStorage(clock));
  private final LoadSampler low = new LoadSampler(clock, () -> 0, random::nextInt);
  private final LoadSampler high = new LoadSampler(clock, () -> 0, random::nextInt);

  private void call(LoadSampler sampler, LoadSample.Kind kind, String row) {
    int samples = sampler.samples(1);
    for (int i = 0; i < samples; i++) {
      sampler.add(Bytes.utf8(row), new LoadSampler.Call(kind, 1, 1, 100, 5_000), samples);
    }
  }

  /**
   * Per second: 20,000 gets of the low region, a tenth of them of one row; 500 puts of the high.
   */
  private void run(int seconds) {
    traffic.regions(List.of(LOW, HIGH));
    for (int second = 0; second < seconds; second++) {
      for (int i = 0; i < 20_000; i++) {
        String row = i % 10 == 0 ? "celebrity" : "a" + random.nextInt(1_000_000);
        call(low, LoadSample.Kind.GET, row);
      }
      for (int i = 0; i < 500; i++) {
        call(high, LoadSample.Kind.WRITE, "z" + random.nextInt(1_000));
      }
      clock.advanceMillis(1_000);
      traffic.add(LOW, low.next());
      traffic.add(HIGH, high.next());
    }
  }

  private RegionTraffic region(RegionInfo info) {
    return traffic.regions().stream()
        .filter(one -> one.region().equals(info.encodedName()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void ratesOfSamplesAreThoseOfTheCalls() {
    run(10);
    double[] reads = region(LOW).perSecond();
    assertThat(reads[TrafficMetric.READS.ordinal()]).isCloseTo(20_000, within(2_000.0));
    assertThat(reads[TrafficMetric.BYTES.ordinal()]).isCloseTo(2e6, within(2e5));
    assertThat(reads[TrafficMetric.WRITES.ordinal()]).isZero();
    assertThat(region(HIGH).perSecond()[TrafficMetric.WRITES.ordinal()])
        .isCloseTo(500, within(100.0));
  }

  @Test
  void theHotRowOfARegionComesFirst() {
    run(20);
    RegionTraffic region = region(LOW);
    assertThat(region.hot().rows(1).get(0).key().toStringUtf8()).isEqualTo("celebrity");
    assertThat(region.hot().rows(1).get(0).atLeast() / region.hot().total())
        .isCloseTo(0.1, within(0.03));
  }

  @Test
  void aSuddenLoadOfEvenRowsHasNoHotSpot() throws IOException {
    traffic.regions(List.of(LOW));
    for (int i = 0; i < 100_000; i++) {
      call(low, LoadSample.Kind.WRITE, "a" + random.nextInt(1_000_000));
    }
    clock.advanceMillis(1_000);
    traffic.add(LOW, low.next());
    assertThat(region(LOW).hot().rows(9)).isEmpty();
    double total = region(LOW).sums()[TrafficMetric.WRITES.ordinal()];
    assertThat(total).isCloseTo(100_000, within(20_000.0));
    HeatStep step = traffic.recording().tables().get("t").steps().get(0);
    assertThat(step.ranges())
        .extracting(range -> range.values()[TrafficMetric.WRITES.ordinal()])
        .allSatisfy(writes -> assertThat(writes).isLessThan(0.05 * total));
  }

  @Test
  void aRegionWithoutCallsIsForgotten() {
    run(2);
    clock.advanceMillis(2 * LiveTraffic.WINDOW_MILLIS);
    assertThat(traffic.regions()).isEmpty();
  }

  @Test
  void everyFailedCallCounts() throws IOException {
    traffic.regions(List.of(LOW));
    for (int i = 0; i < 300; i++) {
      low.failed(Bytes.utf8("bad"));
    }
    clock.advanceMillis(1_000);
    traffic.add(LOW, low.next());
    assertThat(region(LOW).sums()[TrafficMetric.ERRORS.ordinal()]).isEqualTo(300);
    assertThat(region(LOW).hot().total()).isZero();
  }

  @Test
  void aMinuteIsSavedWhenItIsOver() throws IOException {
    run(1);
    traffic.save();
    assertThat(traffic.isDue()).isFalse();
    clock.advanceMillis(HeatStep.FINE_MILLIS);
    assertThat(traffic.isDue()).isTrue();
    traffic.save();
    assertThat(traffic.isDue()).isFalse();
  }

  @Test
  void callersComeWithTheirRates() throws IOException {
    Caller busy = new Caller("app", InetAddress.getByName("10.0.0.1"));
    Caller quiet = new Caller("admin", InetAddress.getByName("10.0.0.2"));
    for (int second = 0; second < 20; second++) {
      for (int i = 0; i < 100; i++) {
        traffic.called(busy, 32);
      }
      traffic.called(quiet, 32);
      clock.advanceMillis(1_000);
    }
    assertThat(traffic.callers(9)).extracting(one -> one.key()).containsExactly(busy, quiet);
    assertThat(traffic.callers(1).get(0).count()).isCloseTo(3_200, within(200.0));
  }

  @Test
  void nothingIsRecordedWhileItIsOff() {
    Traffic off = Traffic.off(clock);
    call(low, LoadSample.Kind.GET, "a");
    clock.advanceMillis(1_000);
    off.add(LOW, low.next());
    assertThat(off.regions()).isEmpty();
    assertThat(off.isDue()).isFalse();
  }
}
