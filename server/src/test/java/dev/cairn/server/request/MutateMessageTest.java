package dev.cairn.server.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.schema.CellSizeLimit;
import dev.cairn.engine.wal.file.Nonce;
import dev.cairn.server.request.MutationDecoder.RequestMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue.QualifierValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.DeleteType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.junit.jupiter.api.Test;

/** Checks that readers and protobuf agree on mutations. */
class MutateMessageTest extends ReaderContract {
  private final MutationDecoder decoder = new MutationDecoder(CellSizeLimit.of(0));

  /** Protobuf uses the last family of a column, and accepts the fields in any order. */
  @Test
  void readsColumnsWhoseFamilyComesLateOrTwice() throws IOException {
    QualifierValue value = QualifierValue.newBuilder().setValue(ByteString.EMPTY).build();
    byte[] late =
        Bytes.concat(
            ColumnValue.newBuilder().addQualifierValue(value).buildPartial().toByteArray(),
            Bytes.concat(
                ColumnValue.newBuilder().setFamily(random.bytes(3)).build().toByteArray(),
                ColumnValue.newBuilder().setFamily(random.bytes(2)).build().toByteArray()));
    byte[] field = Bytes.concat(new byte[] {3 << 3 | 2, (byte) late.length}, late);
    byte[] put =
        Bytes.concat(
            MutationProto.newBuilder()
                .setMutateType(MutationType.PUT)
                .setRow(random.bytes(1))
                .build()
                .toByteArray(),
            field);
    MutationProto expected = MutationProto.parseFrom(put);
    assertThat(expected.getColumnValue(0).getFamily().size()).isEqualTo(2);
    assertSameMutation(MutationReader.read(put, 0, put.length), expected);
  }

  @Test
  void manyCellsOfALongRowAreExpanding() throws IOException {
    assertThat(deletes(16_000, 8_000).isExpanding()).isTrue();
    assertThat(deletes(16, 8_000).isExpanding()).isFalse();
    assertThat(deletes(16_000, 8).isExpanding()).isFalse();
  }

  private static MutationMessage deletes(int rowLength, int cells) throws IOException {
    ColumnValue.Builder column = ColumnValue.newBuilder().setFamily(ByteString.copyFromUtf8("f"));
    for (int i = 0; i < cells; i++) {
      column.addQualifierValue(QualifierValue.getDefaultInstance());
    }
    byte[] message =
        MutationProto.newBuilder()
            .setMutateType(MutationType.DELETE)
            .setRow(ByteString.copyFrom(new byte[rowLength]))
            .addColumnValue(column)
            .build()
            .toByteArray();
    return MutationReader.read(message, 0, message.length);
  }

  @Test
  void mergesAMutationThatComesManyTimes() throws IOException {
    byte[] parts = Bytes.EMPTY;
    for (int i = 0; i < 20; i++) {
      parts =
          Bytes.concat(
              parts,
              MutateRequest.newBuilder().setMutation(anyMutation()).buildPartial().toByteArray());
      check(
          Bytes.concat(
              parts,
              MutateRequest.newBuilder().setRegion(random.region()).buildPartial().toByteArray()));
    }
  }

  @Override
  MutateRequest anyMessage() {
    MutateRequest.Builder request =
        MutateRequest.newBuilder().setRegion(random.region()).setMutation(anyMutation());
    if (random.onceIn(50)) {
      request.clearRegion();
    }
    if (random.onceIn(50)) {
      request.clearMutation();
    }
    if (random.onceIn(2)) {
      request.setNonceGroup(random.number());
    }
    if (random.onceIn(10)) {
      request.setCondition(random.condition());
    }
    return random.withUnknownFields(request).buildPartial();
  }

  private MutationProto anyMutation() {
    MutationType type = MutationType.values()[random.oneOf(4)];
    MutationProto.Builder mutation = MutationProto.newBuilder().setMutateType(type);
    if (!random.onceIn(20)) {
      mutation.setRow(random.bytes(random.oneOf(20)));
    }
    for (int i = random.oneOf(4); i > 0; i--) {
      mutation.addColumnValue(anyColumn(type));
    }
    if (random.onceIn(3)) {
      mutation.setTimestamp(random.oneOf(9) - 1);
    }
    if (random.onceIn(3)) {
      mutation.setDurability(MutationProto.Durability.values()[random.oneOf(5)]);
    }
    if (random.onceIn(2)) {
      mutation.setNonce(random.oneOf(3) * random.number());
    }
    switch (random.oneOf(12)) {
      case 0 -> mutation.addAttribute(attribute("_rr_")).addAttribute(attribute("a"));
      case 1 -> mutation.setTimeRange(random.timeRange());
      case 2 -> mutation.setAssociatedCellCount(random.oneOf(3) - 1);
      case 3 -> mutation.clearMutateType();
      default -> {
        // Nothing else.
      }
    }
    return random.withUnknownFields(mutation).buildPartial();
  }

  private NameBytesPair attribute(String name) {
    return NameBytesPair.newBuilder().setName(name).setValue(random.bytes(1)).build();
  }

  private ColumnValue anyColumn(MutationType type) {
    ColumnValue.Builder column = ColumnValue.newBuilder();
    if (!random.onceIn(50)) {
      column.setFamily(random.bytes(random.onceIn(50) ? 128 : random.oneOf(3)));
    }
    for (int i = random.oneOf(4); i > 0; i--) {
      column.addQualifierValue(anyValue(type));
    }
    return random.withUnknownFields(column).buildPartial();
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
    return random.withUnknownFields(value).build();
  }

  @Override
  void parseWithProtobuf(byte[] message) throws InvalidProtocolBufferException {
    MutateRequest.parseFrom(message);
  }

  @Override
  void read(byte[] message) throws IOException {
    MutateMessage read = MutateMessage.parse(message);
    MutateRequest request = MutateRequest.parseFrom(message);
    assertSameRegion(read, request.getRegion());
    assertThat(read.condition())
        .isEqualTo(request.hasCondition() ? Optional.of(request.getCondition()) : Optional.empty());
    assertThat(read.nonceGroup()).isEqualTo(request.getNonceGroup());
    assertThat(read.isAtomic())
        .isEqualTo(request.hasCondition() || isComputed(request.getMutation()));
    assertSameMutation(read.mutation(), request.getMutation());
  }

  private void assertSameMutation(MutationMessage read, MutationProto expected) throws IOException {
    if (isRefused(expected)) {
      assertThatThrownBy(() -> decode(read)).isInstanceOf(DoNotRetryIOException.class);
      return;
    }
    Mutation mutation = decode(read);
    assertThat(mutation.kind().name()).isEqualTo(expected.getMutateType().name());
    assertThat(mutation.row()).isEqualTo(expected.getRow().toByteArray());
    assertThat(texts(mutation.cells())).isEqualTo(texts(expected));
    assertThat(mutation.durability().name()).isEqualTo(expected.getDurability().name());
    assertSameTimes(mutation.timeRange(), expected.getTimeRange());
    assertThat(mutation.returnResult()).isEqualTo(isComputed(expected) && returnsResult(expected));
    assertThat(mutation.nonce())
        .isEqualTo(
            isComputed(expected) && expected.getNonce() != 0
                ? new Nonce(5, expected.getNonce())
                : Nonce.NONE);
  }

  private Mutation decode(MutationMessage read) throws IOException {
    Mutation mutation =
        decoder.decode(read, 5, AssociatedCells.NONE, SCHEMA, RequestMemory.UNLIMITED);
    decoder.check(mutation, SCHEMA);
    return mutation;
  }

  private static boolean isComputed(MutationProto mutation) {
    return mutation.getMutateType() == MutationType.INCREMENT
        || mutation.getMutateType() == MutationType.APPEND;
  }

  private static boolean returnsResult(MutationProto mutation) {
    boolean returned = true;
    for (NameBytesPair attribute : mutation.getAttributeList()) {
      if (attribute.getName().equals("_rr_")) {
        returned = !attribute.getValue().isEmpty() && attribute.getValue().byteAt(0) != 0;
      }
    }
    return returned;
  }

  private static boolean isRefused(MutationProto mutation) {
    int cells = 0;
    boolean isDelete = mutation.getMutateType() == MutationType.DELETE;
    boolean isRefused =
        mutation.getRow().isEmpty()
            || mutation.getAssociatedCellCount() != 0
            || !isRange(mutation.getTimeRange());
    for (ColumnValue column : mutation.getColumnValueList()) {
      for (QualifierValue value : column.getQualifierValueList()) {
        cells++;
        isRefused |= column.getFamily().size() > Cell.MAX_FAMILY_LENGTH;
        isRefused |= !isDelete && !value.hasValue();
        isRefused |= isComputed(mutation) && value.hasDeleteType();
        isRefused |=
            mutation.getMutateType() == MutationType.INCREMENT && value.getValue().size() != 8;
        isRefused |= timestamp(mutation, value) < 0;
      }
    }
    return isRefused || cells == 0 && (!isDelete || timestamp(mutation, null) < 0);
  }

  private static long timestamp(MutationProto mutation, QualifierValue value) {
    long own = mutation.hasTimestamp() ? mutation.getTimestamp() : Cell.LATEST_TIMESTAMP;
    return value != null && value.hasTimestamp() ? value.getTimestamp() : own;
  }

  /** Returns the cells that protobuf reads; for a delete without cells, the table's families. */
  private static List<String> texts(MutationProto mutation) {
    List<String> texts = new ArrayList<>();
    byte[] row = mutation.getRow().toByteArray();
    for (ColumnValue column : mutation.getColumnValueList()) {
      for (QualifierValue value : column.getQualifierValueList()) {
        texts.add(
            text(
                row,
                column.getFamily().toByteArray(),
                value.getQualifier().toByteArray(),
                timestamp(mutation, value),
                type(mutation.getMutateType(), value).code(),
                value.getValue().toByteArray(),
                value.getTags().toByteArray()));
      }
    }
    if (texts.isEmpty() && mutation.getMutateType() == MutationType.DELETE) {
      byte[] none = Bytes.EMPTY;
      int type = CellType.DELETE_FAMILY.code();
      long timestamp = timestamp(mutation, null);
      SCHEMA
          .families()
          .forEach(one -> texts.add(text(row, one.name(), none, timestamp, type, none, none)));
    }
    return texts;
  }

  private static CellType type(MutationType mutation, QualifierValue value) {
    if (mutation != MutationType.DELETE && !value.hasDeleteType()) {
      return CellType.PUT;
    }
    return switch (value.getDeleteType()) {
      case DELETE_ONE_VERSION -> CellType.DELETE;
      case DELETE_MULTIPLE_VERSIONS -> CellType.DELETE_COLUMN;
      case DELETE_FAMILY -> CellType.DELETE_FAMILY;
      case DELETE_FAMILY_VERSION -> CellType.DELETE_FAMILY_VERSION;
    };
  }

  private static List<String> texts(CellBuffer cells) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      Cell cell = cells.get(i);
      texts.add(
          text(
              cell.row(),
              cell.family(),
              cell.qualifier(),
              cell.timestamp(),
              cell.typeCode(),
              cell.value(),
              cell.tags()));
    }
    return texts;
  }

  private static String text(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      long timestamp,
      int type,
      byte[] value,
      byte[] tags) {
    StringBuilder text = new StringBuilder();
    for (byte[] part : new byte[][] {row, family, qualifier, value, tags}) {
      text.append(Bytes.toStringBinary(part)).append('/');
    }
    return text.append(timestamp).append('/').append(type).toString();
  }
}
