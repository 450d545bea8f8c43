package dev.cairn.server.master.normalizer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.loadsplit.LoadTotals;
import dev.cairn.server.loadsplit.RegionRates;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.junit.jupiter.api.Test;

/** Rates are those between two looks at a region. */
class LoadHistoryTest {
  private final LoadHistory history = new LoadHistory();

  private static RegionLoad load(String region, long reads, long writes) {
    return RegionLoad.newBuilder()
        .setRegionSpecifier(
            RegionSpecifier.newBuilder()
                .setType(RegionSpecifierType.REGION_NAME)
                .setValue(ByteString.copyFromUtf8(region)))
        .setReadRequestsCount(reads)
        .setWriteRequestsCount(writes)
        .build();
  }

  private static RegionLoad load(String region, long reads, LoadTotals totals) {
    RegionLoad.Builder load = load(region, reads, 0).toBuilder();
    totals.write(load, Optional.empty());
    return load.build();
  }

  private static Optional<RegionRates> requests(double perSecond) {
    return Optional.of(new RegionRates(perSecond, 0, 0));
  }

  @Test
  void countReadsAndWritesSinceTheLastLook() {
    assertThat(history.next(load("a", 1_000, 0), 0)).isEmpty();
    assertThat(history.next(load("b", 0, 0), 0)).isEmpty();
    assertThat(history.next(load("a", 1_100, 200), 10_000)).isEqualTo(requests(30));
    assertThat(history.next(load("a", 1_100, 200), 20_000)).isEqualTo(requests(0));
    assertThat(history.next(load("b", 20_000, 0), 20_000)).isEqualTo(requests(1_000));
  }

  @Test
  void includeBytesAndProcessorTime() throws InvalidProtocolBufferException {
    RegionLoad sent = load("a", 30, new LoadTotals(5_000, 70, 0));
    history.next(load("a", 10, new LoadTotals(1_000, 50, 0)), 0);

    assertThat(history.next(RegionLoad.parseFrom(sent.toByteArray()), 10_000))
        .contains(new RegionRates(2, 400, 2));
  }

  @Test
  void beginAnewWhenTheRegionDoes() {
    history.next(load("a", 1_000, 0), 0);
    assertThat(history.next(load("a", 10, 0), 1_000)).isEmpty();
    assertThat(history.next(load("a", 20, 0), 2_000)).isEqualTo(requests(10));
    history.retain(Set.of());
    assertThat(history.next(load("a", 30, 0), 3_000)).isEmpty();
  }
}
