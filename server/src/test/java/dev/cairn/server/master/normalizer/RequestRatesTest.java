package dev.cairn.server.master.normalizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** Rates are those between two looks at a region. */
class RequestRatesTest {
  private final RequestRates rates = new RequestRates();

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

  @Test
  void countReadsAndWritesSinceTheLastLook() {
    assertThat(rates.next(load("a", 1_000, 0), 0)).isZero();
    assertThat(rates.next(load("b", 0, 0), 0)).isZero();
    assertThat(rates.next(load("a", 1_100, 200), 10_000)).isEqualTo(30);
    assertThat(rates.next(load("a", 1_100, 200), 20_000)).isZero();
    assertThat(rates.next(load("b", 20_000, 0), 20_000)).isEqualTo(1_000);
  }

  @Test
  void beginAnewWhenTheRegionDoes() {
    rates.next(load("a", 1_000, 0), 0);
    assertThat(rates.next(load("a", 10, 0), 1_000)).isZero();
    assertThat(rates.next(load("a", 20, 0), 2_000)).isEqualTo(10);
    rates.retain(Set.of());
    assertThat(rates.next(load("a", 30, 0), 3_000)).isZero();
  }
}
