package dev.cairn.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.rpc.wire.BatchActions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** Tests that a batch with a mutation is recognized before it is parsed. */
class BatchActionsTest {
  private static final int CELLS_AFTER = 7;

  @Test
  void findsAMutationWhereverItIs() throws IOException {
    for (int seed = 0; seed < 500; seed++) {
      MultiRequest batch = randomBatch(new Random(seed));
      boolean expected =
          batch.getRegionActionList().stream()
              .flatMap(group -> group.getActionList().stream())
              .anyMatch(Action::hasMutation);
      ByteBuf frame = frame(batch);
      int begin = frame.readerIndex();
      assertThat(BatchActions.hasMutation(frame)).as("seed %s", seed).isEqualTo(expected);
      assertThat(frame.readerIndex()).isEqualTo(begin);
      assertThat(frame.readableBytes()).isEqualTo(frame.writerIndex() - begin);
    }
  }

  @Test
  void looksAtTheFirstThousandActionsAndGroups() throws IOException {
    int first = BatchActions.STEPS_MAX - 2; // the group counts as one
    assertThat(BatchActions.hasMutation(frame(mutationAfter(first)))).isTrue();
    assertThat(BatchActions.hasMutation(frame(mutationAfter(first + 1)))).isFalse();
    RegionAction empty = RegionAction.newBuilder().setRegion(region(new Random(0))).build();
    MultiRequest.Builder emptyGroups = MultiRequest.newBuilder();
    for (int i = 0; i < first; i++) {
      emptyGroups.addRegionAction(empty);
    }
    emptyGroups.mergeFrom(mutationAfter(0));
    assertThat(BatchActions.hasMutation(frame(emptyGroups.build()))).isTrue();
    emptyGroups.addRegionAction(0, empty);
    assertThat(BatchActions.hasMutation(frame(emptyGroups.build()))).isFalse();
  }

  private static MultiRequest mutationAfter(int gets) {
    Random random = new Random(gets);
    RegionAction.Builder group = RegionAction.newBuilder().setRegion(region(random));
    for (int i = 0; i < gets; i++) {
      group.addAction(Action.newBuilder().setGet(Get.newBuilder().setRow(bytes(random))));
    }
    group.addAction(
        Action.newBuilder().setMutation(MutationProto.newBuilder().setRow(bytes(random))));
    return MultiRequest.newBuilder().addRegionAction(group).build();
  }

  @Test
  void survivesDamagedMessages() throws IOException {
    for (int seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      ByteBuf frame = frame(randomBatch(random));
      for (int i = 0; i < 3; i++) {
        frame.setByte(random.nextInt(frame.writerIndex()), random.nextInt());
      }
      frame.writerIndex(1 + random.nextInt(frame.writerIndex()));
      int limit = frame.writerIndex();
      BatchActions.hasMutation(frame);
      assertThat(frame.readerIndex()).isZero();
      assertThat(frame.writerIndex()).isEqualTo(limit);
    }
    assertThat(BatchActions.hasMutation(Unpooled.EMPTY_BUFFER)).isFalse();
  }

  private static ByteBuf frame(MultiRequest batch) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    batch.writeDelimitedTo(bytes);
    bytes.write(new byte[CELLS_AFTER]);
    return Unpooled.wrappedBuffer(bytes.toByteArray());
  }

  private static MultiRequest randomBatch(Random random) {
    MultiRequest.Builder batch = MultiRequest.newBuilder();
    boolean writes = random.nextBoolean();
    int groups = random.nextInt(4);
    for (int g = 0; g < groups; g++) {
      RegionAction.Builder group =
          RegionAction.newBuilder().setRegion(region(random)).setAtomic(random.nextBoolean());
      int actions = random.nextInt(5);
      for (int a = 0; a < actions; a++) {
        group.addAction(action(random, writes && random.nextInt(4) == 0));
      }
      batch.addRegionAction(group);
    }
    if (random.nextBoolean()) {
      batch.setNonceGroup(random.nextLong());
    }
    return batch.build();
  }

  private static Action action(Random random, boolean write) {
    Action.Builder action = Action.newBuilder().setIndex(random.nextInt(1000));
    if (write) {
      action.setMutation(
          MutationProto.newBuilder()
              .setRow(bytes(random))
              .setMutateType(MutationProto.MutationType.DELETE));
    } else if (random.nextInt(5) == 0) {
      action.setServiceCall(
          CoprocessorServiceCall.newBuilder()
              .setRow(bytes(random))
              .setServiceName("service")
              .setMethodName("method")
              .setRequest(bytes(random)));
    } else {
      action.setGet(Get.newBuilder().setRow(bytes(random)).setMaxVersions(3));
    }
    return action.build();
  }

  private static RegionSpecifier region(Random random) {
    return RegionSpecifier.newBuilder()
        .setType(RegionSpecifierType.REGION_NAME)
        .setValue(bytes(random))
        .build();
  }

  private static ByteString bytes(Random random) {
    byte[] bytes = new byte[random.nextInt(300)];
    random.nextBytes(bytes);
    return ByteString.copyFrom(bytes);
  }
}
