package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.Operation;
import dev.cairn.server.regionserver.hosted.TableTimes;
import dev.cairn.server.regionserver.report.OperationTimes;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Times of operations stay as long as a table has a region here; the sums stay for ever. */
class OperationTimesTest {
  private static final TableName TABLE = FakeRegion.SCHEMA.name();

  private final OperationTimes times = new OperationTimes(true);

  private HostedRegion open(String start) {
    return new FakeRegion(start)
        .hosted()
        .under(List.of((info, schema, below) -> below.timedBy(times.opened(TABLE))));
  }

  private long sum() {
    return times.sum(Operation.GET, TimeUnit.SECONDS.toNanos(1)).total().count();
  }

  @Test
  void aTableLeavesWithItsLastRegion() {
    HostedRegion first = open("");
    HostedRegion second = open("m");
    assertThat(second.times()).isSameAs(first.times());
    first.times().record(Operation.GET, 5);
    times.closed(first);
    assertThat(times.tables()).containsOnlyKeys(TABLE);
    second.times().record(Operation.GET, 6);
    times.closed(second);
    assertThat(times.tables()).isEmpty();
  }

  @Test
  void sumsNeverFall() {
    HostedRegion region = open("");
    region.times().record(Operation.GET, 5);
    assertThat(sum()).isEqualTo(1);
    times.closed(region);
    assertThat(sum()).isEqualTo(1);
    HostedRegion again = open("");
    again.times().record(Operation.GET, 5);
    assertThat(sum()).isEqualTo(2);
    times.closed(again);
    assertThat(sum()).isEqualTo(2);
    assertThat(times.sum(Operation.PUT, 0).total().count()).isZero();
  }

  @Test
  void eventsAddUpLikewise() {
    HostedRegion region = open("");
    region.times().count(TableTimes.Event.FULL_SCAN);
    times.closed(region);
    open("").times().count(TableTimes.Event.FULL_SCAN);
    assertThat(times.sum(TableTimes.Event.FULL_SCAN)).isEqualTo(2);
    assertThat(times.sum(TableTimes.Event.CONDITION_MET)).isZero();
  }

  @Test
  void aTableThatIsOpenedAgainBeginsAgain() {
    HostedRegion region = open("");
    region.times().record(Operation.GET, 5);
    times.closed(region);
    open("");
    assertThat(times.tables().get(TABLE).read(Operation.GET, 0)).isEmpty();
  }

  @Test
  void aRegionWithoutARecorderDoesNotCount() {
    open("");
    times.closed(new FakeRegion("m").hosted());
    assertThat(times.tables()).containsOnlyKeys(TABLE);
  }

  @Test
  void nothingIsKeptIfNothingIsRecorded() {
    OperationTimes off = new OperationTimes(false);
    assertThat(off.opened(TABLE)).isSameAs(TableTimes.OFF);
    assertThat(off.tables()).isEmpty();
  }
}
