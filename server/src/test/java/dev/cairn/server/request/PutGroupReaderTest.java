package dev.cairn.server.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.region.Mutation.Durability;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;
import org.junit.jupiter.api.Test;

/** What is read into arrays says the same as protobuf; all else is left to protobuf. */
class PutGroupReaderTest {
  private static final byte[] F = Bytes.utf8("f");

  @Test
  void putsOfTwoRegions() throws IOException {
    MultiRequest request =
        MultiRequest.newBuilder()
            .setNonceGroup(77)
            .addRegionAction(group("one").addAction(put(3, "a", 1)).addAction(put(1, "bc", 2)))
            .addRegionAction(group("two").addAction(put(2, "d", 1)))
            .build();
    List<PutGroup> groups = PutGroupReader.read(request.toByteArray()).orElseThrow();
    assertThat(groups).hasSize(2);
    assertSame(groups, request, true);
    assertThat(groups.get(0).index(0)).isEqualTo(3);
    assertThat(groups.get(0).ends()).containsExactly(1, 3);
    assertThat(groups.get(0).isRow(1, Bytes.utf8("xbc"), 1, 2)).isTrue();
    assertThat(groups.get(0).isRow(1, Bytes.utf8("xbd"), 1, 2)).isFalse();
    assertThat(groups.get(0).isRow(1, Bytes.utf8("xbc"), 1, 1)).isFalse();
  }

  @Test
  void manyPuts() throws IOException {
    RegionAction.Builder group = group("one");
    for (int i = 0; i < 1_000; i++) {
      group.addAction(put(i, "row" + i, 1 + i % 3));
    }
    MultiRequest request = MultiRequest.newBuilder().addRegionAction(group).build();
    assertSame(PutGroupReader.read(request.toByteArray()).orElseThrow(), request, true);
  }

  @Test
  void durabilityOfAll() throws IOException {
    Action.Builder unlogged = put(0, "a", 1).toBuilder();
    unlogged
        .getMutationBuilder()
        .setDurability(
            org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.Durability
                .SKIP_WAL);
    byte[] alike = request(group("one").addAction(unlogged).addAction(unlogged));
    assertThat(PutGroupReader.read(alike).orElseThrow().get(0).durability())
        .isEqualTo(Durability.SKIP_WAL);
    assertThat(
            PutGroupReader.read(
                request(group("one").addAction(unlogged).addAction(put(1, "b", 1)))))
        .isEmpty();
  }

  @Test
  void allElseIsLeftToProtobuf() throws IOException {
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
      byte[] message = request(group);
      assertThat(PutGroupReader.read(message)).as(group.toString()).isEmpty();
      assertThat(MultiMessage.parse(message))
          .isEqualTo(new MultiMessage.Actions(MultiRequest.parseFrom(message)));
    }
    assertThat(PutGroupReader.read(new byte[0])).isEmpty();
    assertThatThrownBy(() -> MultiMessage.parse(new byte[] {10, 5, 1}))
        .isInstanceOf(InvalidProtocolBufferException.class);
  }

  @Test
  void damagedMessagesAreReadAsProtobufReadsThem() throws IOException {
    MultiRequest request =
        MultiRequest.newBuilder()
            .addRegionAction(group("one").addAction(put(3, "a", 1)).addAction(put(1, "bc", 2)))
            .addRegionAction(group("two").addAction(put(2, "d", 1)))
            .build();
    byte[] whole = request.toByteArray();
    RandomMessages random = new RandomMessages(7);
    for (int round = 0; round < 20_000; round++) {
      byte[] damaged = random.damaged(whole);
      Optional<List<PutGroup>> groups = PutGroupReader.read(damaged);
      if (groups.isPresent()) {
        assertSame(groups.get(), MultiRequest.parseFrom(damaged), false);
      }
    }
  }

  private static void assertSame(List<PutGroup> groups, MultiRequest request, boolean undamaged)
      throws IOException {
    assertThat(groups).hasSize(request.getRegionActionCount());
    for (int i = 0; i < groups.size(); i++) {
      PutGroup group = groups.get(i);
      RegionAction expected = request.getRegionAction(i);
      assertThat(group.inMessage()).isEqualTo(expected);
      assertThat(group.region()).isEqualTo(expected.getRegion());
      assertThat(group.size()).isEqualTo(expected.getActionCount());
      int end = 0;
      long bytes = 0;
      for (int j = 0; j < group.size(); j++) {
        Action action = expected.getAction(j);
        byte[] row = action.getMutation().getRow().toByteArray();
        end += action.getMutation().getAssociatedCellCount();
        bytes += action.getMutation().getSerializedSize();
        assertThat(group.index(j)).isEqualTo(action.getIndex());
        assertThat(group.ends()[j]).isEqualTo(end);
        assertThat(group.isRow(j, row, 0, row.length)).isTrue();
        assertThat(group.durability())
            .isEqualTo(MutationTerms.durability(action.getMutation().getDurability()));
      }
      assertThat(group.cellCount()).isEqualTo(end);
      if (undamaged) { // one that has a field twice takes more bytes than what is left of it
        assertThat(group.mutationBytes()).isEqualTo(bytes);
      }
    }
  }

  private static byte[] request(RegionAction.Builder group) {
    return MultiRequest.newBuilder().addRegionAction(group).build().toByteArray();
  }

  private static RegionAction.Builder group(String region) {
    return RegionAction.newBuilder()
        .setRegion(
            RegionSpecifier.newBuilder()
                .setType(RegionSpecifierType.REGION_NAME)
                .setValue(ByteString.copyFromUtf8(region)));
  }

  private static Action put(int index, String row, int cells) throws IOException {
    Put put = new Put(Bytes.utf8(row));
    for (int i = 0; i < cells; i++) {
      put.addColumn(F, Bytes.utf8("q" + i), F);
    }
    return mutation(ProtobufUtil.toMutationNoData(MutationType.PUT, put)).setIndex(index).build();
  }

  private static Action.Builder mutation(
      org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto mutation) {
    return Action.newBuilder().setMutation(mutation);
  }

  private static Action.Builder without(Action put, int field) {
    Action.Builder less = put.toBuilder();
    less.getMutationBuilder()
        .clearField(less.getMutation().getDescriptorForType().findFieldByNumber(field));
    return less;
  }
}
