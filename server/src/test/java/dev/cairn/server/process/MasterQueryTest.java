package dev.cairn.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ClusterStatus;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionInTransition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** How regions that are not open are counted. */
class MasterQueryTest {
  @Test
  void regionsThatCannotBeOpenedCountWhicheverStepTheirNextAttemptIsAt() {
    assertThat(MasterQuery.notOpen(status())).isZero();
    assertThat(
            MasterQuery.notOpen(
                status(
                    State.FAILED_OPEN,
                    State.OFFLINE,
                    State.OPENING,
                    State.CLOSED,
                    State.ABNORMALLY_CLOSED)))
        .isEqualTo(5);
  }

  @Test
  void regionsThatAreStillOpenDoNotCount() {
    assertThat(MasterQuery.notOpen(status(State.OPEN, State.CLOSING))).isZero();
  }

  private static ClusterStatus status(State... states) {
    ClusterStatus.Builder status = ClusterStatus.newBuilder();
    for (State state : states) {
      status.addRegionsInTransition(
          RegionInTransition.newBuilder()
              .setSpec(
                  RegionSpecifier.newBuilder()
                      .setType(RegionSpecifierType.REGION_NAME)
                      .setValue(ByteString.EMPTY))
              .setRegionState(
                  RegionState.newBuilder()
                      .setRegionInfo(
                          ProtobufUtil.toRegionInfo(RegionInfoBuilder.FIRST_META_REGIONINFO))
                      .setState(state)));
    }
    return status.build();
  }
}
