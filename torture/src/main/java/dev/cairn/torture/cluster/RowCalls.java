package dev.cairn.torture.cluster;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Messages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.shaded.protobuf.generated.CellProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Column;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Consistency;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.DeleteType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ComparatorProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** Reads and changes single numbers in rows of one table. For one thread at a time. */
final class RowCalls {
  static final byte[] FAMILY = Bytes.utf8("f");

  /** Has the same numbers as {@link #FAMILY} in rows that are loaded in bulk; no others. */
  static final byte[] SECOND_FAMILY = Bytes.utf8("g");

  static final byte[] QUALIFIER = Bytes.utf8("n");
  private static final String CLIENT = "ClientService";

  private final ClusterClient client;
  private final TableName table;

  RowCalls(ClusterClient client, TableName table) {
    this.client = client;
    this.table = table;
  }

  /** Puts a number, with a timestamp of the same value. */
  void put(String row, long value, Duration patience) throws IOException {
    mutate(row, put(row, value).build(), Condition.getDefaultInstance(), 0, patience);
  }

  /**
   * Adds 1 to a counter and returns the new value.
   *
   * @param nonce unique for this increment
   */
  long increment(String row, long nonce, Duration patience) throws IOException {
    MutationProto increment =
        MutationProto.newBuilder()
            .setMutateType(MutationType.INCREMENT)
            .setRow(bytes(row))
            .addColumnValue(column(number(1)))
            .setNonce(nonce)
            .build();
    MutateResponse response =
        mutate(row, increment, Condition.getDefaultInstance(), nonce, patience);
    return number(response.getResult().getCellList())
        .orElseThrow(() -> new IOException("An increment returned nothing"));
  }

  /**
   * Replaces a number if it is {@code expected}; tells whether it did.
   *
   * @param expected 0 for none
   */
  boolean checkAndPut(String row, long expected, long value, Duration patience) throws IOException {
    Condition.Builder condition =
        Condition.newBuilder()
            .setRow(bytes(row))
            .setFamily(Messages.wrap(FAMILY))
            .setQualifier(Messages.wrap(QUALIFIER))
            .setCompareType(HBaseProtos.CompareType.EQUAL)
            .setComparator(comparator(expected));
    return mutate(row, put(row, value).build(), condition.build(), 0, patience).getProcessed();
  }

  /** Reads a number; empty if there is none. */
  OptionalLong get(String row, Duration patience) throws IOException {
    Get.Builder get =
        Get.newBuilder()
            .setRow(bytes(row))
            .addColumn(Column.newBuilder().setFamily(Messages.wrap(FAMILY)));
    return number(get(get, patience));
  }

  /** Reads a number from a replica; empty if there is none. */
  OptionalLong getFromReplica(String row, int id, Duration patience) throws IOException {
    Get.Builder get =
        Get.newBuilder()
            .setRow(bytes(row))
            .setConsistency(Consistency.TIMELINE)
            .addColumn(Column.newBuilder().setFamily(Messages.wrap(FAMILY)));
    GetResponse response =
        client.callReplica(
            table, Bytes.utf8(row), id, patience, (region, server) -> get(region, server, get));
    if (!response.getResult().getStale()) {
      throw new IllegalStateException("The answer of a replica is not marked as stale");
    }
    return number(response.getResult().getCellList());
  }

  /** Reads the numbers of all families of a row. */
  List<Long> getAll(String row, Duration patience) throws IOException {
    return get(Get.newBuilder().setRow(bytes(row)), patience).stream()
        .map(cell -> number(List.of(cell)).orElseThrow())
        .toList();
  }

  private List<CellProtos.Cell> get(Get.Builder get, Duration patience) throws IOException {
    return client.call(
        table,
        get.getRow().toByteArray(),
        patience,
        (region, server) -> get(region, server, get).getResult().getCellList());
  }

  private static GetResponse get(
      RegionInfo region, ClusterClient.ServerCaller server, Get.Builder get) throws IOException {
    return server.call(
        CLIENT,
        "Get",
        GetRequest.newBuilder().setRegion(Messages.specifier(region)).setGet(get).build(),
        GetResponse.getDefaultInstance());
  }

  /** Deletes all versions of a number up to a timestamp: one column, or the whole family. */
  void delete(String row, long timestamp, DeleteType type, Duration patience) throws IOException {
    ColumnValue.QualifierValue.Builder deleted =
        ColumnValue.QualifierValue.newBuilder().setTimestamp(timestamp).setDeleteType(type);
    if (type != DeleteType.DELETE_FAMILY) {
      deleted.setQualifier(Messages.wrap(QUALIFIER));
    }
    MutationProto delete =
        MutationProto.newBuilder()
            .setMutateType(MutationType.DELETE)
            .setRow(bytes(row))
            .setTimestamp(timestamp)
            .addColumnValue(
                ColumnValue.newBuilder()
                    .setFamily(Messages.wrap(FAMILY))
                    .addQualifierValue(deleted))
            .build();
    mutate(row, delete, Condition.getDefaultInstance(), 0, patience);
  }

  private MutateResponse mutate(
      String row, MutationProto mutation, Condition condition, long nonce, Duration patience)
      throws IOException {
    return client.call(
        table,
        Bytes.utf8(row),
        patience,
        (region, server) -> {
          MutateRequest.Builder request =
              MutateRequest.newBuilder()
                  .setRegion(Messages.specifier(region))
                  .setMutation(mutation);
          if (condition.hasRow()) {
            request.setCondition(condition);
          }
          if (nonce != 0) {
            request.setNonceGroup(1);
          }
          return server.call(
              CLIENT, "Mutate", request.build(), MutateResponse.getDefaultInstance());
        });
  }

  /** Returns a put of a number, with a timestamp of the same value. */
  static MutationProto.Builder put(String row, long value) {
    ColumnValue.Builder column = column(number(value)).toBuilder();
    column.getQualifierValueBuilder(0).setTimestamp(value);
    return MutationProto.newBuilder()
        .setMutateType(MutationType.PUT)
        .setRow(bytes(row))
        .setTimestamp(value)
        .addColumnValue(column);
  }

  private static ColumnValue column(ByteString value) {
    return ColumnValue.newBuilder()
        .setFamily(Messages.wrap(FAMILY))
        .addQualifierValue(
            ColumnValue.QualifierValue.newBuilder()
                .setQualifier(Messages.wrap(QUALIFIER))
                .setValue(value))
        .build();
  }

  private static ComparatorProtos.Comparator comparator(long expected) {
    boolean absent = expected == 0;
    ComparatorProtos.ByteArrayComparable value =
        ComparatorProtos.ByteArrayComparable.newBuilder()
            .setValue(absent ? ByteString.EMPTY : number(expected))
            .build();
    String kind = absent ? "NullComparator" : "BinaryComparator";
    return ComparatorProtos.Comparator.newBuilder()
        .setName("org.apache.hadoop.hbase.filter." + kind)
        .setSerializedComparator(
            absent
                ? ComparatorProtos.NullComparator.getDefaultInstance().toByteString()
                : ComparatorProtos.BinaryComparator.newBuilder()
                    .setComparable(value)
                    .build()
                    .toByteString())
        .build();
  }

  /** Returns the number in the first cell; empty if there is none. */
  static OptionalLong number(List<CellProtos.Cell> cells) {
    return cells.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(ByteBuffer.wrap(cells.get(0).getValue().toByteArray()).getLong());
  }

  private static ByteString number(long value) {
    return Messages.wrap(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
  }

  private static ByteString bytes(String text) {
    return ByteString.copyFromUtf8(text);
  }
}
