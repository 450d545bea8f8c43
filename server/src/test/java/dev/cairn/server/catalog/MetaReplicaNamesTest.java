package dev.cairn.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.schema.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.junit.jupiter.api.Test;

/** Copies of {@code hbase:meta} have the names that HBase's client computes. */
class MetaReplicaNamesTest {
  @Test
  void theNamesAreThoseOfTheClient() {
    for (int id = 0; id < 1_000; id++) {
      org.apache.hadoop.hbase.client.RegionInfo expected =
          RegionReplicaUtil.getRegionInfoForReplica(RegionInfoBuilder.FIRST_META_REGIONINFO, id);
      RegionInfo copy = RegionInfo.META.replica(id);
      assertThat(copy.regionName()).isEqualTo(expected.getRegionName());
      assertThat(copy.encodedName()).isEqualTo(expected.getEncodedName());
    }
  }
}
