package dev.cairn.server.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.Mutation;
import dev.cairn.engine.schema.CellSizeLimit;
import dev.cairn.engine.wal.Nonce;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue.QualifierValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.DeleteType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** Plain mutations come out as when protobuf reads them; all others are left to it. */
class PlainMutationReaderTest extends PlainReaderContract {
  private static final byte[] ROW = Bytes.utf8("r");
  private static final byte[] F = Bytes.utf8("f");
  private static final byte[] Q = Bytes.utf8("q");

  private final MutationDecoder decoder = new MutationDecoder(CellSizeLimit.of(0));

  PlainMutationReaderTest() {
    super(12);
  }

  @Test
  void readsWhatClientsSend() throws IOException {
    assertPlain(message(MutationType.PUT, new Put(ROW).addColumn(F, Q, Q).addColumn(F, F, Q)));
    assertPlain(message(MutationType.PUT, new Put(ROW, 7).addColumn(F, Q, Bytes.EMPTY)));
    assertPlain(
        message(
            MutationType.PUT,
            new Put(ROW).addColumn(Q, Q, 3, Q).setDurability(Durability.SKIP_WAL)));
    assertPlain(
        message(
            MutationType.DELETE, new Delete(ROW).addColumn(F, Q).addColumns(F, F, 9).addFamily(Q)));
    assertPlain(request(ProtobufUtil.toMutation(MutationType.INCREMENT, increment(), 8)));
    assertPlain(
        request(
            ProtobufUtil.toMutation(MutationType.INCREMENT, increment().setTimeRange(1, 2), 8)));
    assertPlain(
        request(
            ProtobufUtil.toMutation(MutationType.APPEND, new Append(ROW).addColumn(F, Q, Q), 8)));
  }

  @Test
  void leavesTheOthersToProtobuf() throws IOException {
    Put put = new Put(ROW).addColumn(F, Q, Q);
    assertNotPlain(message(MutationType.PUT, new Put(put).setTTL(5)));
    assertNotPlain(message(MutationType.PUT, new Put(put).setAttribute("a", Q)));
    assertNotPlain(message(MutationType.DELETE, new Delete(ROW)));
    assertNotPlain(
        request(
            ProtobufUtil.toMutation(
                MutationType.INCREMENT, increment().setReturnResults(false), 8)));
    assertNotPlain(request(ProtobufUtil.toMutationNoData(MutationType.PUT, put)));
    MutateRequest plainOne = message(MutationType.PUT, put);
    assertNotPlain(
        plainOne.toBuilder()
            .setCondition(ClientProtos.Condition.newBuilder().setRow(random.bytes(1)))
            .build());
    assertNotPlain(plainOne.toBuilder().setRegion(encodedRegion()).build());
    assertNotPlain(plainOne.toBuilder().clearRegion().buildPartial());
    assertNotPlain(plainOne.toBuilder().clearMutation().buildPartial());
  }

  @Test
  void leavesWhatTakesFarMoreRoomThanItsMessageToProtobuf() {
    MutationProto.Builder mutation =
        MutationProto.newBuilder()
            .setMutateType(MutationType.PUT)
            .setRow(ByteString.copyFrom(new byte[Short.MAX_VALUE]));
    ColumnValue.Builder column = ColumnValue.newBuilder().setFamily(random.bytes(1));
    for (int i = 0; i < 100; i++) {
      column.addQualifierValue(QualifierValue.newBuilder().setValue(random.bytes(1)));
    }
    assertNotPlain(request(mutation.addColumnValue(column).build()));
  }

  @Test
  void isDecodedAnewEachTime() throws IOException {
    MutateMessage message =
        MutateMessage.parse(
            message(MutationType.PUT, new Put(ROW).addColumn(F, Q, Q)).toByteArray());
    PlainMutation mutation = ((MutateMessage.Plain) message).mutation();
    mutation.decode().cells().setTimestamp(0, 5);
    assertThat(mutation.decode().cells().get(0).timestamp()).isEqualTo(Long.MAX_VALUE);
  }

  @Override
  MutateRequest anyMessage() {
    return request(anyMutation());
  }

  private MutationProto anyMutation() {
    MutationType type = MutationType.values()[random.oneOf(4)];
    MutationProto.Builder mutation =
        MutationProto.newBuilder().setMutateType(type).setRow(random.bytes(random.oneOf(20)));
    for (int i = random.oneOf(4); i > 0; i--) {
      ColumnValue.Builder column =
          ColumnValue.newBuilder().setFamily(random.bytes(random.oneOf(3)));
      for (int j = random.oneOf(4); j > 0; j--) {
        column.addQualifierValue(anyValue(type));
      }
      mutation.addColumnValue(column);
    }
    if (random.onceIn(3)) {
      mutation.setTimestamp(random.oneOf(9) - 1);
    }
    if (random.onceIn(3)) {
      mutation.setDurability(MutationProto.Durability.values()[random.oneOf(5)]);
    }
    if (random.onceIn(2)) {
      mutation.setNonce(random.number());
    }
    switch (random.oneOf(12)) {
      case 0 ->
          mutation.addAttribute(
              NameBytesPair.newBuilder().setName("_rr_").setValue(random.bytes(1)));
      case 1 ->
          mutation.setTimeRange(
              HBaseProtos.TimeRange.newBuilder().setFrom(random.oneOf(3)).setTo(random.oneOf(5)));
      case 2 -> mutation.setAssociatedCellCount(random.oneOf(2));
      default -> {
        // Nothing else.
      }
    }
    return mutation.build();
  }

  private QualifierValue anyValue(MutationType type) {
    QualifierValue.Builder value = QualifierValue.newBuilder();
    if (random.oneOf(4) > 0) {
      value.setQualifier(random.bytes(random.oneOf(4)));
    }
    if (type == MutationType.DELETE && random.oneOf(4) > 0) {
      value.setDeleteType(DeleteType.values()[random.oneOf(4)]);
    } else if (random.oneOf(9) > 0) {
      value.setValue(random.bytes(type == MutationType.INCREMENT ? 8 : random.oneOf(9)));
    }
    if (random.onceIn(3)) {
      value.setTimestamp(random.oneOf(9));
    }
    if (random.onceIn(30)) {
      value.setTags(random.bytes(random.oneOf(3)));
    }
    if (random.onceIn(30)) {
      value.setDeleteType(DeleteType.DELETE_FAMILY);
    }
    return value.build();
  }

  @Override
  boolean isPlain(byte[] message) {
    return PlainMutationReader.read(message).isPresent();
  }

  @Override
  boolean agrees(byte[] message) throws IOException {
    Optional<MutateMessage.Plain> read = PlainMutationReader.read(message);
    if (read.isEmpty()) {
      return false;
    }
    MutateRequest request = MutateMessage.ANY.parse(message);
    Optional<String> expected = expected(request);
    if (expected.isPresent()) {
      assertThat(describe(read.get().mutation().decode())).isEqualTo(expected.get());
      assertThat(describe(decoder.decode(read.get().mutation(), SCHEMA))).isEqualTo(expected.get());
    } else {
      assertThat(refusal(() -> decoder.decode(read.get().mutation(), SCHEMA)))
          .isEqualTo(refusal(() -> protobufs(request)));
    }
    assertThat(read.get().region()).isEqualTo(request.getRegion());
    assertThat(read.get().isAtomic())
        .isEqualTo(MutateMessage.isCountOrAppend(request.getMutation()));
    return expected.isPresent();
  }

  private Optional<String> expected(MutateRequest request) {
    try {
      return Optional.of(describe(protobufs(request)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private Mutation protobufs(MutateRequest request) throws IOException {
    MutationProto proto = request.getMutation();
    return decoder
        .decode(proto, new AssociatedCells(new CellBuffer()), SCHEMA)
        .numbered(new Nonce(request.getNonceGroup(), MutationDecoder.nonce(proto)));
  }

  private interface Decoding {
    Mutation run() throws IOException;
  }

  private static String refusal(Decoding decoding) {
    try {
      return describe(decoding.run());
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static Increment increment() {
    return new Increment(ROW).addColumn(F, Q, 5);
  }

  private static MutateRequest message(
      MutationType type, org.apache.hadoop.hbase.client.Mutation mutation) throws IOException {
    return request(ProtobufUtil.toMutation(type, mutation));
  }

  private static MutateRequest request(MutationProto mutation) {
    return MutateRequest.newBuilder()
        .setRegion(region())
        .setMutation(mutation)
        .setNonceGroup(3)
        .build();
  }

  private static String describe(Mutation mutation) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < mutation.cells().size(); i++) {
      CellBuffer cells = mutation.cells();
      int from = cells.offset(i);
      byte[] cell = Arrays.copyOfRange(cells.bytes(i), from, from + cells.length(i));
      text.append(Bytes.toStringBinary(cell)).append(' ');
    }
    return text.append(mutation.kind())
        .append(Bytes.toStringBinary(mutation.row()))
        .append(mutation.durability())
        .append(mutation.timeRange())
        .append(mutation.returnResult())
        .append(mutation.nonce().isPresent() ? mutation.nonce() : "none")
        .toString();
  }
}
