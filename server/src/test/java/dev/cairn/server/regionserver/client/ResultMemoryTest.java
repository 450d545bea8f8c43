package dev.cairn.server.regionserver.client;

import static dev.cairn.server.regionserver.client.MultiCallsFixture.F;
import static dev.cairn.server.regionserver.client.MultiCallsFixture.b;
import static dev.cairn.server.regionserver.client.MultiCallsFixture.get;
import static dev.cairn.server.regionserver.client.MultiCallsFixture.group;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.regionserver.FakeCall;
import dev.cairn.server.regionserver.FakeRegion;
import dev.cairn.server.regionserver.UnlimitedMemory;
import dev.cairn.server.request.MutateMessage;
import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.MultiActionResultTooLarge;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.junit.jupiter.api.Test;

/** Writes and batches that lack memory for their results. */
class ResultMemoryTest {
  private final MultiCallsFixture fixture = new MultiCallsFixture();
  private final FakeRegion region = fixture.region;
  private final FakeCall call = fixture.call;

  @Test
  void aGetWithoutMemoryIsRetried_atOnceIfOthersHaveResults() throws IOException {
    region.values.put("a:q", new byte[100]);
    region.values.put("b:q", new byte[5_000]);
    call.growth =
        capacity -> {
          if (capacity > 4_000) {
            throw MemoryShortageException.forNow(capacity, MemoryAccount.unlimited());
          }
        };
    RegionActionResult result =
        fixture
            .multi(
                call,
                MultiRequest.newBuilder()
                    .addRegionAction(
                        group(region)
                            .addAction(get(0, "b"))
                            .addAction(get(1, "a"))
                            .addAction(get(2, "b"))
                            .addAction(get(3, "a")))
                    .build())
            .getRegionActionResult(0);
    assertThat(result.getResultOrException(0).getException().getName())
        .isEqualTo(RegionTooBusyException.class.getName());
    assertThat(result.getResultOrException(1).getResult().getAssociatedCellCount()).isEqualTo(1);
    assertThat(result.getResultOrException(2).getException().getName())
        .isEqualTo(MultiActionResultTooLarge.class.getName());
    assertThat(result.getResultOrException(3).hasResult()).isTrue();
    assertThat(call.response.size()).as("no cells of the failed get remain").isEqualTo(2);
  }

  @Test
  void appendsWithoutMemoryForTheirResultsAreMadeOnce() throws IOException {
    region.values.put("b:q", new byte[5_000]);
    region.values.put("d:q", new byte[5_000]);
    MultiRequest.Builder request =
        MultiRequest.newBuilder()
            .setNonceGroup(1)
            .addRegionAction(
                group(region)
                    .addAction(append(0, "a", "x", 7))
                    .addAction(append(1, "b", "x", 8))
                    .addAction(append(2, "c", "x", 9))
                    .addAction(append(3, "d", "x", NonceManager.NO_NONCE)));
    call.growth = ResultMemoryTest::lendLittle;
    RegionActionResult first = fixture.multi(call, request.build()).getRegionActionResult(0);
    assertThat(first.getResultOrException(0).getResult().getAssociatedCellCount()).isEqualTo(1);
    assertThat(first.getResultOrException(1).getException().getName())
        .isEqualTo(RegionTooBusyException.class.getName());
    assertThat(first.getResultOrException(2).getResult().getAssociatedCellCount()).isEqualTo(1);
    assertThat(first.getResultOrException(3).getException().getName())
        .as("it has no nonce by which a second try would be known")
        .isEqualTo(DoNotRetryIOException.class.getName());
    assertThat(call.response.size()).isEqualTo(2);

    call.growth = null;
    request.getRegionActionBuilder(0).removeAction(3);
    RegionActionResult again = fixture.multi(call, request.build()).getRegionActionResult(0);
    assertThat(again.getResultOrException(1).getResult().getAssociatedCellCount()).isEqualTo(1);
    assertThat(region.values.get("a:q")).hasSize(1);
    assertThat(region.values.get("b:q")).hasSize(5_001);
    assertThat(region.values.get("c:q")).hasSize(1);
  }

  @Test
  void anAtomicGroupWithoutMemoryForItsResultIsMadeOnce() throws IOException {
    region.values.put("a:q", new byte[5_000]);
    MultiRequest request =
        MultiRequest.newBuilder()
            .setNonceGroup(1)
            .addRegionAction(group(region).setAtomic(true).addAction(append(0, "a", "x", 7)))
            .build();
    call.growth = ResultMemoryTest::lendLittle;
    assertThat(fixture.multi(call, request).getRegionActionResult(0).getException().getName())
        .isEqualTo(RegionTooBusyException.class.getName());
    call.growth = null;
    assertThat(fixture.multi(call, request).getRegionActionResult(0).hasException()).isFalse();
    assertThat(region.values.get("a:q")).hasSize(5_001);
  }

  @Test
  void anAppendWaitsForTheMemoryOfItsResult_andIsNotMadeAgain() throws IOException {
    for (String row : new String[] {"a", "b", "c"}) {
      region.values.put(row + ":q", new byte[5_000]);
    }
    MutateMessage message = append("a", "x", NonceManager.NO_NONCE);
    call.growth = ResultMemoryTest::lendLittle;
    call.memory =
        new UnlimitedMemory() {
          @Override
          public void await(MemoryShortageException shortage) {
            assertThat(call.requestReleased).as("the request's memory is given back").isTrue();
            call.growth = null;
          }
        };
    assertThat(FakeCall.answer(fixture.mutates.mutate(call, message)).getProcessed()).isTrue();
    assertThat(call.response.size()).isEqualTo(1);
    assertThat(region.values.get("a:q")).hasSize(5_001);

    call.growth = ResultMemoryTest::lendLittle;
    call.memory =
        new UnlimitedMemory() {
          @Override
          public void await(MemoryShortageException shortage) throws IOException {
            throw new RegionTooBusyException("later");
          }
        };
    assertThatThrownBy(() -> fixture.mutates.mutate(call, append("b", "x", 5)))
        .isInstanceOf(RegionTooBusyException.class);
    assertThatThrownBy(() -> fixture.mutates.mutate(call, append("c", "x", 0)))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("The change was made");
  }

  private static void lendLittle(long capacity) {
    if (capacity > 4_000) {
      throw MemoryShortageException.forNow(capacity, MemoryAccount.unlimited());
    }
  }

  private static Action append(int index, String row, String value, long nonce) throws IOException {
    Append append = new Append(b(row)).addColumn(F, b("q"), b(value));
    return Action.newBuilder()
        .setIndex(index)
        .setMutation(ProtobufUtil.toMutation(MutationType.APPEND, append, nonce))
        .build();
  }

  private MutateMessage append(String row, String value, long nonce) throws IOException {
    return MutateMessage.parse(
        MutateRequest.newBuilder()
            .setRegion(Messages.specifier(region.info))
            .setNonceGroup(1)
            .setMutation(append(0, row, value, nonce).getMutation())
            .build()
            .toByteArray());
  }
}
