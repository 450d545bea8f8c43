package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.quota.QuotaTarget;
import dev.cairn.server.quota.Throttles;
import dev.cairn.server.regionserver.client.OpenScanners;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.quota.ThrottledCalls;
import dev.cairn.server.request.MultiMessage;
import dev.cairn.server.request.RequestSubjects;
import dev.cairn.server.rpc.ManualClock;
import dev.cairn.server.rpc.service.CallOutcome;
import java.io.IOException;
import java.util.List;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ThrottledCallsTest {
  /** The position of the cells of puts; those outside the message have their own format. */
  private enum Cells {
    INSIDE,
    BESIDE
  }

  private final ManualClock clock = new ManualClock();
  private final OnlineRegions regions =
      new OnlineRegions(new ServerName("localhost", 16020, 1), clock);
  private final Throttles throttles = new Throttles(clock);
  private final ThrottledCalls calls =
      new ThrottledCalls(
          regions, new OpenScanners(clock, 60_000, 1, MemoryAccount.unlimited()), throttles);

  @ParameterizedTest
  @EnumSource
  void aBatchOverManyRegionsAsksForAllOfItAtOnce(Cells cells) throws IOException {
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
    assertThat(write(put(cells, lower, "a", "b"), put(cells, upper, "x", "y"))).isNotNull();
    MultiMessage one = MultiMessage.parse(message(put(cells, lower, "a")));
    assertThat(one.groups().get(0).puts().isPresent()).isEqualTo(cells == Cells.BESIDE);
    assertThatThrownBy(() -> write(put(cells, lower, "a")))
        .isInstanceOf(RpcThrottlingException.class)
        .hasMessageContaining("number of write requests exceeded");
  }

  private MultiResponse write(RegionAction... groups) throws IOException {
    CheckedMethod<MultiMessage, MultiResponse> multi =
        CheckedMethod.of(
            "Multi",
            List.of(calls),
            RequestSubjects::of,
            (call, asked) -> new CallOutcome.Answered<>(MultiResponse.getDefaultInstance()));
    return FakeCall.answer(multi.run(new FakeCall(), MultiMessage.parse(message(groups))));
  }

  private static byte[] message(RegionAction... groups) {
    MultiRequest.Builder request = MultiRequest.newBuilder();
    for (RegionAction group : groups) {
      request.addRegionAction(group);
    }
    return request.build().toByteArray();
  }

  private FakeRegion open(String start) {
    FakeRegion region = new FakeRegion(start);
    regions.beginOpening(region.info);
    regions.opened(region.hosted());
    return region;
  }

  private static RegionAction put(Cells cells, FakeRegion region, String... rows)
      throws IOException {
    RegionAction.Builder group =
        RegionAction.newBuilder().setRegion(Messages.specifier(region.info));
    byte[] text = Bytes.utf8("f");
    for (String row : rows) {
      Put put = new Put(Bytes.utf8(row)).addColumn(text, text, text);
      group.addAction(
          Action.newBuilder()
              .setMutation(
                  cells == Cells.INSIDE
                      ? ProtobufUtil.toMutation(MutationType.PUT, put)
                      : ProtobufUtil.toMutationNoData(MutationType.PUT, put)));
    }
    return group.build();
  }
}
