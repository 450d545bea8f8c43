package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.quota.QuotaTarget;
import dev.cairn.server.quota.Throttles;
import dev.cairn.server.rpc.ManualClock;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.quotas.RpcThrottlingException;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TimeUnit;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.Quotas;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.Throttle;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.TimedQuota;
import org.junit.jupiter.api.Test;

class ThrottledCallsTest {
  private final ManualClock clock = new ManualClock();
  private final OnlineRegions regions =
      new OnlineRegions(new ServerName("localhost", 16020, 1), clock);
  private final Throttles throttles = new Throttles(clock);
  private final ThrottledCalls calls =
      new ThrottledCalls(regions, new OpenScanners(clock, 60_000, 1), throttles);

  @Test
  void aBatchOverManyRegionsAsksForAllOfItAtOnce() throws IOException {
    FakeRegion lower = open("");
    FakeRegion upper = open("m");
    throttles.set(
        Map.of(
            QuotaTarget.table(lower.info.table()),
            Quotas.newBuilder()
                .setThrottle(
                    Throttle.newBuilder()
                        .setWriteNum(
                            TimedQuota.newBuilder().setSoftLimit(2).setTimeUnit(TimeUnit.HOURS)))
                .build()),
        false);
    // More than the limit, which all of it allows at once; no half of it would leave the other one.
    assertThat(write(put(lower, "a", "b"), put(upper, "x", "y"))).isNotNull();
    assertThatThrownBy(() -> write(put(lower, "a")))
        .isInstanceOf(RpcThrottlingException.class)
        .hasMessageContaining("number of write requests exceeded");
  }

  private MultiResponse write(RegionAction... groups) throws IOException {
    MultiRequest.Builder request = MultiRequest.newBuilder();
    for (RegionAction group : groups) {
      request.addRegionAction(group);
    }
    return calls
        .multi((call, asked) -> MultiResponse.getDefaultInstance())
        .handle(new FakeCall(), request.build());
  }

  private FakeRegion open(String start) {
    FakeRegion region = new FakeRegion(start);
    regions.beginOpening(region.info);
    regions.opened(region.hosted());
    return region;
  }

  private static RegionAction put(FakeRegion region, String... rows) throws IOException {
    RegionAction.Builder group =
        RegionAction.newBuilder().setRegion(Messages.specifier(region.info));
    byte[] text = Bytes.utf8("f");
    for (String row : rows) {
      Put put = new Put(Bytes.utf8(row)).addColumn(text, text, text);
      group.addAction(
          Action.newBuilder().setMutation(ProtobufUtil.toMutation(MutationType.PUT, put)));
    }
    return group.build();
  }
}
