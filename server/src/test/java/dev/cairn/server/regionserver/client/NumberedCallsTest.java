package dev.cairn.server.regionserver.client;

import static dev.cairn.server.regionserver.client.MultiCallsFixture.F;
import static dev.cairn.server.regionserver.client.MultiCallsFixture.b;
import static dev.cairn.server.regionserver.client.MultiCallsFixture.group;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.regionserver.FakeCall;
import dev.cairn.server.regionserver.FakeRegion;
import dev.cairn.server.request.MutateMessage;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.junit.jupiter.api.Test;

/** Increments and appends with nonces, which clients send again. */
class NumberedCallsTest {
  private final MultiCallsFixture fixture = new MultiCallsFixture();
  private final FakeRegion region = fixture.region;
  private final FakeCall call = fixture.call;

  @Test
  void aRepeatedIncrementCountsOnce() throws IOException {
    Increment increment = new Increment(b("a")).addColumn(F, b("n"), 5);
    MutateRequest request =
        MutateRequest.newBuilder()
            .setRegion(Messages.specifier(region.info))
            .setNonceGroup(1)
            .setMutation(ProtobufUtil.toMutation(MutationType.INCREMENT, increment, 77))
            .build();
    MutateMessage message = MutateMessage.parse(request.toByteArray());
    MutateResponse first = FakeCall.answer(fixture.mutates.mutate(call, message));
    MutateResponse again = FakeCall.answer(fixture.mutates.mutate(call, message));
    assertThat(Bytes.getLong(region.values.get("a:n"), 0)).isEqualTo(5);
    assertThat(again).isEqualTo(first);
    assertThat(Bytes.getLong(call.response.get(0).value(), 0)).isEqualTo(5);
  }

  @Test
  void aFailedAppendMayBeRepeated() throws IOException {
    Append append = new Append(b("a")).addColumn(F, b("q"), b("x"));
    MultiRequest request =
        MultiRequest.newBuilder()
            .setNonceGroup(1)
            .addRegionAction(
                group(region)
                    .addAction(
                        Action.newBuilder()
                            .setIndex(0)
                            .setMutation(ProtobufUtil.toMutation(MutationType.APPEND, append, 9))))
            .build();
    region.failure = new RegionBusyException("later");
    MultiResponse busy = fixture.multi(call, request);
    assertThat(busy.getRegionActionResult(0).getResultOrException(0).getException().getName())
        .isEqualTo("org.apache.hadoop.hbase.RegionTooBusyException");
    region.failure = null;
    fixture.multi(call, request);
    fixture.multi(call, request);
    assertThat(Bytes.utf8(region.values.get("a:q"))).isEqualTo("x");
  }

  @Test
  void theSameNumberTwiceInOneCallIsDoneOnce() throws IOException {
    Increment increment = new Increment(b("a")).addColumn(F, b("n"), 1);
    Action.Builder action =
        Action.newBuilder()
            .setMutation(ProtobufUtil.toMutation(MutationType.INCREMENT, increment, 5));
    fixture.multi(
        call,
        MultiRequest.newBuilder()
            .addRegionAction(
                group(region).addAction(action.setIndex(0)).addAction(action.setIndex(1)))
            .build());
    assertThat(Bytes.getLong(region.values.get("a:n"), 0)).isEqualTo(1);
  }
}
