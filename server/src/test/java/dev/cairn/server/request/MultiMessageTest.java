package dev.cairn.server.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.region.write.Mutation.Durability;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;
import org.junit.jupiter.api.Test;

/**
 * Checks that readers and protobuf agree on batches, and that groups of puts are read into arrays.
 */
@SuppressWarnings("deprecation") // clients before 2.4 set the condition of the whole request
class MultiMessageTest extends ReaderContract {
  private static final byte[] F = Bytes.utf8("f");

  @Test
  void putsOfTwoRegions() throws IOException {
    MultiRequest request =
        MultiRequest.newBuilder()
            .setNonceGroup(77)
            .addRegionAction(group("one").addAction(put(3, "a", 1)).addAction(put(1, "bc", 2)))
            .addRegionAction(group("two").addAction(put(2, "d", 1)))
            .build();
    check(request.toByteArray());
    PutGroup puts = puts(request).get(0).orElseThrow();
    assertThat(puts(request).get(1)).isPresent();
    assertThat(puts.index(0)).isEqualTo(3);
    assertThat(puts.ends()).containsExactly(1, 3);
    assertThat(puts.isRow(1, Bytes.utf8("xbc"), 1, 2)).isTrue();
    assertThat(puts.isRow(1, Bytes.utf8("xbd"), 1, 2)).isFalse();
    assertThat(puts.isRow(1, Bytes.utf8("xbc"), 1, 1)).isFalse();
  }

  @Test
  void manyPuts() throws IOException {
    RegionAction.Builder group = group("one");
    for (int i = 0; i < 1_000; i++) {
      group.addAction(put(i, "row" + i, 1 + i % 3));
    }
    check(request(group).toByteArray());
    assertThat(puts(request(group)).get(0)).isPresent();
  }

  /** Actions shorter than any that a client writes make the arrays grow. */
  @Test
  void shortPuts() throws IOException {
    RegionAction.Builder group = group("");
    Action put = without(put(0, "", 1), MutationProto.DURABILITY_FIELD_NUMBER);
    for (int i = 0; i < 1_000; i++) {
      group.addAction(put);
    }
    check(request(group).toByteArray());
    assertThat(puts(request(group)).get(0)).isPresent();
  }

  @Test
  void durabilityOfAll() throws IOException {
    Action.Builder unlogged = put(0, "a", 1).toBuilder();
    unlogged.getMutationBuilder().setDurability(MutationProto.Durability.SKIP_WAL);
    MultiRequest alike = request(group("one").addAction(unlogged).addAction(unlogged));
    assertThat(puts(alike).get(0).orElseThrow().durability()).isEqualTo(Durability.SKIP_WAL);
    assertThat(puts(request(group("one").addAction(unlogged).addAction(put(1, "b", 1)))).get(0))
        .isEmpty();
  }

  @Test
  void otherActionsAreListed() throws IOException {
    Action put = put(0, "a", 1);
    Put withValue = new Put(Bytes.utf8("a")).addColumn(F, F, F);
    Put withTtl = new Put(Bytes.utf8("a")).addColumn(F, F, F).setTTL(5);
    Delete delete = new Delete(Bytes.utf8("a")).addFamily(F);
    UnknownFieldSet unknown =
        UnknownFieldSet.newBuilder()
            .addField(99, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build();
    List<RegionAction.Builder> groups =
        List.of(
            group("r"),
            group("r").addAction(put).setAtomic(true),
            group("r").addAction(put).setCondition(Condition.newBuilder().setRow(random.bytes(1))),
            group("r").addAction(put).setUnknownFields(unknown),
            group("r").addAction(put.toBuilder().setUnknownFields(unknown)),
            group("r").addAction(put).addAction(Action.newBuilder().setIndex(1)),
            group("r")
                .addAction(put)
                .addAction(Action.newBuilder().setGet(ProtobufUtil.toGet(new Get(F)))),
            group("r").addAction(mutation(ProtobufUtil.toMutation(MutationType.PUT, withValue))),
            group("r")
                .addAction(mutation(ProtobufUtil.toMutationNoData(MutationType.PUT, withTtl))),
            group("r")
                .addAction(mutation(ProtobufUtil.toMutationNoData(MutationType.DELETE, delete))),
            group("r").addAction(without(put, 1)),
            group("r").addAction(without(put, 2)),
            group("r").addAction(without(put, 8)));
    for (RegionAction.Builder group : groups) {
      check(request(group).toByteArray());
      assertThat(puts(request(group)).get(0)).as(group.toString()).isEmpty();
    }
  }

  @Override
  MultiRequest anyMessage() {
    MultiRequest.Builder request = MultiRequest.newBuilder();
    for (int i = random.oneOf(3); i > 0; i--) {
      request.addRegionAction(anyGroup());
    }
    if (random.onceIn(2)) {
      request.setNonceGroup(random.number());
    }
    if (random.onceIn(20)) {
      request.setCondition(random.condition());
    }
    return random.withUnknownFields(request).buildPartial();
  }

  private RegionAction anyGroup() {
    RegionAction.Builder group = RegionAction.newBuilder().setRegion(random.region());
    if (random.onceIn(50)) {
      group.clearRegion();
    }
    if (random.onceIn(5)) {
      group.setAtomic(random.flag());
    }
    if (random.onceIn(20)) {
      group.setCondition(random.condition());
    }
    boolean putsAlone = random.onceIn(2);
    for (int i = random.oneOf(4); i > 0; i--) {
      group.addAction(putsAlone ? anyPut().build() : anyAction());
    }
    return random.onceIn(3) ? random.withUnknownFields(group).buildPartial() : group.buildPartial();
  }

  private Action.Builder anyPut() {
    MutationProto.Builder put =
        MutationProto.newBuilder()
            .setRow(random.bytes(random.oneOf(5)))
            .setMutateType(MutationType.PUT)
            .setAssociatedCellCount(1 + random.oneOf(3));
    if (random.onceIn(10)) {
      put.setDurability(MutationProto.Durability.ASYNC_WAL);
    }
    return Action.newBuilder().setIndex(random.oneOf(100)).setMutation(put);
  }

  private Action anyAction() {
    Action.Builder action = Action.newBuilder();
    if (!random.onceIn(10)) {
      action.setIndex(random.oneOf(100) - 1);
    }
    switch (random.oneOf(4)) {
      case 0 ->
          action.setMutation(
              anyPut().getMutationBuilder().addColumnValue(anyColumn()).buildPartial());
      case 1 -> action.setGet(anyGet());
      case 2 ->
          action.setServiceCall(
              CoprocessorServiceCall.newBuilder()
                  .setRow(random.bytes(1))
                  .setServiceName("s")
                  .setMethodName("m")
                  .setRequest(random.bytes(random.oneOf(3))));
      default -> {
        // Nothing in it.
      }
    }
    if (random.onceIn(20)) {
      action.setGet(anyGet());
    }
    if (random.onceIn(20)) {
      action.setServiceCall(CoprocessorServiceCall.newBuilder().setMethodName("m").buildPartial());
    }
    return random.withUnknownFields(action).buildPartial();
  }

  private MutationProto.ColumnValue anyColumn() {
    MutationProto.ColumnValue.Builder column = MutationProto.ColumnValue.newBuilder();
    return random.onceIn(10)
        ? column.buildPartial()
        : column.setFamily(random.bytes(random.oneOf(3))).build();
  }

  private org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get anyGet() {
    var get = org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get.newBuilder();
    return random.onceIn(10)
        ? get.buildPartial()
        : get.setRow(random.bytes(random.oneOf(3))).setExistenceOnly(random.flag()).build();
  }

  @Override
  void parseWithProtobuf(byte[] message) throws InvalidProtocolBufferException {
    MultiRequest.parseFrom(message);
  }

  @Override
  void read(byte[] message) throws IOException {
    MultiMessage read = MultiMessage.parse(message);
    MultiRequest request = MultiRequest.parseFrom(message);
    assertThat(read.nonceGroup()).isEqualTo(request.getNonceGroup());
    assertThat(read.condition())
        .isEqualTo(request.hasCondition() ? Optional.of(request.getCondition()) : Optional.empty());
    assertThat(read.groups()).hasSize(request.getRegionActionCount());
    for (int i = 0; i < read.groups().size(); i++) {
      assertSameGroup(read.groups().get(i), request.getRegionAction(i));
    }
  }

  private static void assertSameGroup(RegionActions group, RegionAction expected)
      throws IOException {
    assertSameRegion(group, expected.getRegion());
    assertThat(group.isAtomic()).isEqualTo(expected.getAtomic());
    assertThat(group.condition())
        .isEqualTo(
            expected.hasCondition() ? Optional.of(expected.getCondition()) : Optional.empty());
    assertThat(group.size()).isEqualTo(expected.getActionCount());
    assertThat(group.actions()).hasSize(group.size());
    for (int i = 0; i < group.size(); i++) {
      assertSameAction(group.actions().get(i), expected.getAction(i));
    }
    if (group.puts().isPresent()) {
      assertSamePuts(group.puts().get(), expected);
    }
  }

  private static void assertSameAction(RegionActions.Action action, Action expected)
      throws IOException {
    assertThat(action.index()).isEqualTo(expected.getIndex());
    if (expected.hasGet()) {
      GetMessage get = ((RegionActions.Action.Read) action).get();
      assertThat(get.row().startRow()).isEqualTo(expected.getGet().getRow().toByteArray());
      assertThat(get.existenceOnly()).isEqualTo(expected.getGet().getExistenceOnly());
      assertThat(get.extras().refusal().isPresent())
          .isEqualTo(GetReaderTest.isRefused(expected.getGet()));
    } else if (expected.hasMutation()) {
      MutationMessage mutation = ((RegionActions.Action.Write) action).mutation();
      assertThat(MutationProto.parseFrom(mutation.bytes())).isEqualTo(expected.getMutation());
      assertThat(mutation.cellsBeside().orElse(0))
          .isEqualTo(expected.getMutation().getAssociatedCellCount());
    } else {
      assertThat(((RegionActions.Action.Service) action).call())
          .isEqualTo(expected.getServiceCall());
    }
  }

  private static void assertSamePuts(PutGroup puts, RegionAction expected) {
    assertThat(puts.size()).isEqualTo(expected.getActionCount());
    int end = 0;
    for (int i = 0; i < puts.size(); i++) {
      Action action = expected.getAction(i);
      byte[] row = action.getMutation().getRow().toByteArray();
      end += action.getMutation().getAssociatedCellCount();
      assertThat(puts.index(i)).isEqualTo(action.getIndex());
      assertThat(puts.ends()[i]).isEqualTo(end);
      assertThat(puts.isRow(i, row, 0, row.length)).isTrue();
      assertThat(puts.durability())
          .isEqualTo(MutationTerms.durability(action.getMutation().getDurability()));
    }
    assertThat(puts.cellCount()).isEqualTo(end);
    // A message that repeats a field is longer than its merged form.
    assertThat(puts.mutationBytes())
        .isGreaterThanOrEqualTo(
            expected.getActionList().stream()
                .mapToLong(action -> action.getMutation().getSerializedSize())
                .sum());
  }

  private static List<Optional<PutGroup>> puts(MultiRequest request) throws IOException {
    return MultiMessage.parse(request.toByteArray()).groups().stream()
        .map(RegionActions::puts)
        .toList();
  }

  private static MultiRequest request(RegionAction.Builder group) {
    return MultiRequest.newBuilder().addRegionAction(group).build();
  }

  private static RegionAction.Builder group(String region) {
    return RegionAction.newBuilder()
        .setRegion(
            RegionSpecifier.newBuilder()
                .setType(RegionSpecifierType.REGION_NAME)
                .setValue(ByteString.copyFromUtf8(region)));
  }

  private static Action put(int index, String row, int cells) throws IOException {
    Put put = new Put(Bytes.utf8("r"));
    for (int i = 0; i < cells; i++) {
      put.addColumn(F, Bytes.utf8("q" + i), F);
    }
    return mutation(
            ProtobufUtil.toMutationNoData(MutationType.PUT, put).toBuilder()
                .setRow(ByteString.copyFromUtf8(row))
                .build())
        .setIndex(index)
        .build();
  }

  private static Action.Builder mutation(MutationProto mutation) {
    return Action.newBuilder().setMutation(mutation);
  }

  private static Action without(Action put, int field) {
    Action.Builder less = put.toBuilder();
    less.getMutationBuilder()
        .clearField(less.getMutation().getDescriptorForType().findFieldByNumber(field));
    return less.build();
  }
}
