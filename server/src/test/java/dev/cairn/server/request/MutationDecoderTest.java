package dev.cairn.server.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellTags;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.schema.CellSizeLimit;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.request.MutationDecoder.RequestMemory;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.WrongRowIOException;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

class MutationDecoderTest {
  private static final TableSchema SCHEMA =
      TableSchema.of(TableName.parse("t"), FamilySchema.of("f"));

  private static final byte[] F = b("f");

  private final MutationDecoder decoder = new MutationDecoder(CellSizeLimit.of(100));

  @Test
  void aPutInsideTheMessage() throws IOException {
    Put put = new Put(b("r")).addColumn(F, b("q"), 17, b("v")).setDurability(Durability.SKIP_WAL);
    Mutation mutation = decode(ProtobufUtil.toMutation(MutationType.PUT, put));
    Cell cell = mutation.cells().get(0);
    assertThat(mutation.kind()).isEqualTo(Mutation.Kind.PUT);
    assertThat(mutation.durability()).isEqualTo(Mutation.Durability.SKIP_WAL);
    assertThat(cell.timestamp()).isEqualTo(17);
    assertThat(cell.value()).isEqualTo(b("v"));
    assertThat(cell.typeCode()).isEqualTo(CellType.PUT.code());
  }

  @Test
  void withoutATimestampItIsTheServers() throws IOException {
    Put put = new Put(b("r")).addColumn(F, b("q"), b("v"));
    assertThat(decode(ProtobufUtil.toMutation(MutationType.PUT, put)).cells().get(0).timestamp())
        .isEqualTo(Cell.LATEST_TIMESTAMP);
  }

  @Test
  void theFourKindsOfDelete() throws IOException {
    Delete columns = new Delete(b("r")).addColumn(F, b("a"), 1).addColumns(F, b("b"), 2);
    CellBuffer cells = decode(ProtobufUtil.toMutation(MutationType.DELETE, columns)).cells();
    assertThat(cells.size()).isEqualTo(2);
    assertThat(new int[] {type(cells, 0), type(cells, 1)}).containsExactly(8, 12);
    Delete families = new Delete(b("r")).addFamily(F, 3).addFamilyVersion(F, 4);
    cells = decode(ProtobufUtil.toMutation(MutationType.DELETE, families)).cells();
    assertThat(cells.size()).isEqualTo(2);
    assertThat(new int[] {type(cells, 0), type(cells, 1)}).containsExactly(14, 10);
  }

  @Test
  void aDeleteOfTheWholeRowIsOneOfEachFamily() throws IOException {
    Mutation mutation =
        decode(ProtobufUtil.toMutation(MutationType.DELETE, new Delete(b("r"), 99)));
    assertThat(mutation.cells().size()).isEqualTo(1);
    assertThat(type(mutation.cells(), 0)).isEqualTo(CellType.DELETE_FAMILY.code());
    assertThat(mutation.cells().get(0).timestamp()).isEqualTo(99);
    assertThat(mutation.cells().get(0).family()).isEqualTo(F);
  }

  @Test
  void aTtlBecomesATagOfEachCell() throws IOException {
    Put put = new Put(b("r")).addColumn(F, b("q"), b("v")).setTTL(1234);
    Cell cell = decode(ProtobufUtil.toMutation(MutationType.PUT, put)).cells().get(0);
    byte[] tags = cell.tags();
    assertThat(Bytes.getUnsignedShort(tags, 0)).isEqualTo(9);
    assertThat(tags[2]).isEqualTo((byte) 8);
    assertThat(Bytes.getLong(tags, 3)).isEqualTo(1234);
  }

  @Test
  void aTtlMayBeNegativeAndTheGreatestIsNone() throws IOException {
    for (long ttl : new long[] {-1, Long.MIN_VALUE, 0}) {
      Put put = new Put(b("r")).addColumn(F, b("q"), b("v")).setTTL(ttl);
      Cell cell = decode(ProtobufUtil.toMutation(MutationType.PUT, put)).cells().get(0);
      assertThat(CellTags.ttlMillis(cell)).isEqualTo(ttl);
      assertThat(cell.tagsLength()).isEqualTo(11);
    }
    Put put = new Put(b("r")).addColumn(F, b("q"), b("v")).setTTL(Long.MAX_VALUE);
    Cell cell = decode(ProtobufUtil.toMutation(MutationType.PUT, put)).cells().get(0);
    assertThat(cell.tagsLength()).isZero();
  }

  @Test
  void anIncrementsResultIsReturnedUnlessUnwanted() throws IOException {
    Increment increment = new Increment(b("r")).addColumn(F, b("q"), 5);
    assertThat(decode(ProtobufUtil.toMutation(MutationType.INCREMENT, increment)).returnResult())
        .isTrue();
    increment.setReturnResults(false);
    assertThat(decode(ProtobufUtil.toMutation(MutationType.INCREMENT, increment)).returnResult())
        .isFalse();
  }

  @Test
  void whatIsNotSupportedIsRefused() throws IOException {
    Put labelled = new Put(b("r")).addColumn(F, b("q"), b("v"));
    labelled.setCellVisibility(new CellVisibility("secret"));
    refused(ProtobufUtil.toMutation(MutationType.PUT, labelled), "visibility");
    Put mortal = new Put(b("r")).addColumn(F, b("q"), b("v")).setTTL(5);
    MutationProto delete =
        ProtobufUtil.toMutation(MutationType.DELETE, new Delete(b("r"))).toBuilder()
            .addAllAttribute(ProtobufUtil.toMutation(MutationType.PUT, mortal).getAttributeList())
            .build();
    refused(delete, "TTL");
  }

  @Test
  void whatIsMalformedIsRefused() throws IOException {
    Put put = new Put(b("r")).addColumn(F, b("q"), b("v"));
    refused(ProtobufUtil.toMutationNoData(MutationType.PUT, put), "associated cells");
    refused(ProtobufUtil.toMutation(MutationType.PUT, put).toBuilder().clearRow().build(), "row");
    Put large = new Put(b("r")).addColumn(F, b("q"), new byte[100]);
    refused(ProtobufUtil.toMutation(MutationType.PUT, large), "exceeds limit of 100 bytes");
    refused(
        ProtobufUtil.toMutation(MutationType.PUT, put).toBuilder().clearColumnValue().build(),
        "without columns");
  }

  @Test
  void cellsOfAnotherRowOrTypeAreRefused() throws IOException {
    Put put = new Put(b("r")).addColumn(F, b("q"), b("v"));
    CellBuffer strange = new CellBuffer();
    strange.add(Cell.put(b("other"), F, b("q"), 1, b("v")));
    assertThatThrownBy(
            () ->
                decode(
                    ProtobufUtil.toMutationNoData(MutationType.PUT, put),
                    new AssociatedCells(strange)))
        .isInstanceOf(WrongRowIOException.class)
        .hasMessageContaining("does not belong to the row r");
  }

  @Test
  void cellsInsideKeepTheirTags() throws IOException {
    byte[] tags = {0, 2, 77, 5};
    MutationProto.Builder put =
        ProtobufUtil.toMutation(
            MutationType.PUT, new Put(b("r")).addColumn(F, b("q"), b("v")).addColumn(F, F, F))
            .toBuilder();
    put.getColumnValueBuilder(0).getQualifierValueBuilder(0).setTags(ByteString.copyFrom(tags));
    CellBuffer cells = decode(put.build()).cells();
    assertThat(cells.get(0).tags()).isEqualTo(tags);
    assertThat(cells.get(1).tags()).isEmpty();
    assertThat(cells.mayHaveTags()).isTrue();
  }

  @Test
  void isDecodedAnewEachTime() throws IOException {
    Put put = new Put(b("r")).addColumn(F, b("q"), b("v"));
    MutationMessage message = message(ProtobufUtil.toMutation(MutationType.PUT, put));
    decoder
        .decode(message, 0, AssociatedCells.NONE, SCHEMA, RequestMemory.UNLIMITED)
        .cells()
        .setTimestamp(0, 5);
    assertThat(
            decoder
                .decode(message, 0, AssociatedCells.NONE, SCHEMA, RequestMemory.UNLIMITED)
                .cells()
                .get(0)
                .timestamp())
        .isEqualTo(Cell.LATEST_TIMESTAMP);
  }

  @Test
  void manyCellsOfALongRowBorrowTheMemoryThatTheirMessageDoesNotCover() throws IOException {
    MutationMessage message = message(manyCellsOfALongRow().build());
    assertThat(message.room().capacity()).isLessThan(2 << 20);
    MutationDecoder lenient = new MutationDecoder(CellSizeLimit.of(0));
    AtomicLong borrowed = new AtomicLong();
    CellBuffer cells =
        lenient.decode(message, 0, AssociatedCells.NONE, SCHEMA, borrowed::addAndGet).cells();
    assertThat(cells.size()).isEqualTo(100);
    assertThat(borrowed.get()).isEqualTo(cells.byteSize());
  }

  @Test
  void aMutationWithoutMemoryLeavesTheNextOneItsCells() throws IOException {
    CellBuffer beside = new CellBuffer();
    for (String row : List.of("a", "b")) {
      beside.add(b(row), F, b("q"), 1, CellType.PUT.code(), b("v"), Bytes.EMPTY);
    }
    AssociatedCells cells = new AssociatedCells(beside);
    MutationMessage large = message(manyCellsOfALongRow().setAssociatedCellCount(1).build());
    assertThatThrownBy(
            () ->
                decoder.decode(
                    large,
                    0,
                    cells,
                    SCHEMA,
                    bytes -> {
                      throw new IOException("no memory");
                    }))
        .hasMessage("no memory");
    MutationProto next =
        MutationProto.newBuilder()
            .setMutateType(MutationType.PUT)
            .setAssociatedCellCount(1)
            .build();
    assertThat(decode(next, cells).row()).isEqualTo(b("b"));
  }

  @Test
  void keepsAllAttributesBecauseHooksReadThem() throws IOException {
    Put put = new Put(b("r")).addColumn(F, b("q"), b("v"));
    put.setAttribute("_cause_", b("import"));
    put.setTTL(1_000);
    Mutation mutation = decode(ProtobufUtil.toMutation(MutationType.PUT, put));
    assertThat(mutation.attributes(0)).containsOnlyKeys("_cause_", "_ttl");
    assertThat(mutation.attributes(0).get("_cause_")).isEqualTo(b("import"));
  }

  private static MutationProto.Builder manyCellsOfALongRow() {
    MutationProto.ColumnValue.Builder column =
        MutationProto.ColumnValue.newBuilder().setFamily(ByteString.copyFrom(F));
    for (int i = 0; i < 100; i++) {
      column.addQualifierValue(
          MutationProto.ColumnValue.QualifierValue.newBuilder().setValue(ByteString.EMPTY));
    }
    return MutationProto.newBuilder()
        .setMutateType(MutationType.PUT)
        .setRow(ByteString.copyFrom(new byte[Short.MAX_VALUE]))
        .addColumnValue(column);
  }

  private void refused(MutationProto proto, String reason) {
    assertThatThrownBy(() -> decode(proto))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(reason);
  }

  private Mutation decode(MutationProto proto) throws IOException {
    return decode(proto, AssociatedCells.NONE);
  }

  private Mutation decode(MutationProto proto, AssociatedCells cells) throws IOException {
    Mutation mutation = decoder.decode(message(proto), 0, cells, SCHEMA, RequestMemory.UNLIMITED);
    decoder.check(mutation, SCHEMA);
    return mutation;
  }

  private static MutationMessage message(MutationProto proto) throws IOException {
    byte[] bytes = proto.toByteArray();
    return MutationReader.read(bytes, 0, bytes.length);
  }

  private static int type(CellBuffer cells, int i) {
    return cells.get(i).typeCode();
  }

  private static byte[] b(String text) {
    return Bytes.utf8(text);
  }
}
