package dev.cairn.server.catalog;

import dev.cairn.engine.cell.Bytes;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue.QualifierValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.DeleteType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;

/** Makes the messages that change a row of a system table. */
final class Mutations {
  private Mutations() {}

  /** A column and its value. */
  record Column(byte[] family, byte[] qualifier, byte[] value) {}

  /** Returns the mutation that writes {@code columns}, all of one family. */
  static MutationProto put(byte[] row, long timestamp, Column... columns) {
    ColumnValue.Builder family = ColumnValue.newBuilder();
    for (Column column : columns) {
      family.setFamily(Messages.wrap(column.family()));
      family.addQualifierValue(
          QualifierValue.newBuilder()
              .setQualifier(Messages.wrap(column.qualifier()))
              .setValue(Messages.wrap(column.value()))
              .setTimestamp(timestamp));
    }
    return MutationProto.newBuilder()
        .setRow(Messages.wrap(row))
        .setMutateType(MutationType.PUT)
        .setTimestamp(timestamp)
        .setDurability(MutationProto.Durability.USE_DEFAULT)
        .addColumnValue(family)
        .build();
  }

  /** Returns the mutation that removes all versions of single columns up to a timestamp. */
  static MutationProto deleteColumns(
      byte[] row, byte[] family, List<byte[]> qualifiers, long timestamp) {
    ColumnValue.Builder columns = ColumnValue.newBuilder().setFamily(Messages.wrap(family));
    for (byte[] qualifier : qualifiers) {
      columns.addQualifierValue(marker(qualifier, DeleteType.DELETE_MULTIPLE_VERSIONS, timestamp));
    }
    return delete(row, columns, timestamp);
  }

  /** Returns the mutation that removes the cells of {@code family} in the row up to a timestamp. */
  static MutationProto deleteFamily(byte[] row, byte[] family, long timestamp) {
    return delete(
        row,
        ColumnValue.newBuilder()
            .setFamily(Messages.wrap(family))
            .addQualifierValue(marker(Bytes.EMPTY, DeleteType.DELETE_FAMILY, timestamp)),
        timestamp);
  }

  private static QualifierValue.Builder marker(byte[] qualifier, DeleteType type, long timestamp) {
    return QualifierValue.newBuilder()
        .setQualifier(Messages.wrap(qualifier))
        .setTimestamp(timestamp)
        .setDeleteType(type);
  }

  private static MutationProto delete(byte[] row, ColumnValue.Builder columns, long timestamp) {
    return MutationProto.newBuilder()
        .setRow(Messages.wrap(row))
        .setMutateType(MutationType.DELETE)
        .setTimestamp(timestamp)
        .setDurability(MutationProto.Durability.USE_DEFAULT)
        .addColumnValue(columns)
        .build();
  }
}
