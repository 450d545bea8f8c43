package dev.cairn.server.master;

import dev.cairn.engine.cell.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.CellProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * The rows of a system table, {@code hbase:meta} or {@code hbase:namespace}, as far as a master
 * reads and writes them: the newest version of each column, and deletes that hide what is written
 * late.
 */
public final class SimulatedTable {
  /** Tells which changes the table refuses for good. */
  public Predicate<ClientProtos.MutationProto> refused = mutation -> false;

  /** Row, column, value. */
  private final TreeMap<byte[], TreeMap<String, CellProtos.Cell>> rows =
      new TreeMap<>(Arrays::compareUnsigned);

  /** The newest delete of a row's family. */
  private final Map<String, Long> deletes = new TreeMap<>();

  /** Returns the rows that have something. */
  public List<byte[]> rows() {
    List<byte[]> present = new ArrayList<>();
    rows.forEach(
        (row, columns) -> {
          if (!columns.isEmpty()) {
            present.add(row);
          }
        });
    return present;
  }

  /** Loses rows, as somebody with a shell deletes them. */
  public void lose(Predicate<String> row) {
    rows.keySet().removeIf(name -> row.test(Bytes.toStringBinary(name)));
  }

  /** Loses a column, for example {@code info:state}, of rows. */
  public void loseColumn(Predicate<String> row, String column) {
    rows.forEach(
        (name, columns) -> {
          if (row.test(Bytes.toStringBinary(name))) {
            columns.remove(column);
          }
        });
  }

  /** Replaces the value of a column in rows that have it. */
  public void replace(Predicate<String> row, String column, String value) {
    rows.forEach(
        (name, columns) -> {
          if (row.test(Bytes.toStringBinary(name))) {
            columns.computeIfPresent(
                column,
                (present, cell) ->
                    cell.toBuilder().setValue(ByteString.copyFromUtf8(value)).build());
          }
        });
  }

  /** Returns the names of the columns that rows have. */
  public List<String> columns(Predicate<String> row) {
    List<String> columns = new ArrayList<>();
    rows.forEach(
        (name, cells) -> {
          if (row.test(Bytes.toStringBinary(name))) {
            columns.addAll(cells.keySet());
          }
        });
    return columns;
  }

  /** Returns the values of a column in all rows that have it. */
  public List<String> values(String column) {
    return rows.values().stream()
        .filter(cells -> cells.containsKey(column))
        .map(cells -> cells.get(column).getValue().toStringUtf8())
        .toList();
  }

  Message scan() {
    ClientProtos.ScanResponse.Builder response =
        ClientProtos.ScanResponse.newBuilder().setMoreResults(false);
    for (TreeMap<String, CellProtos.Cell> row : rows.values()) {
      if (!row.isEmpty()) {
        response.addResults(ClientProtos.Result.newBuilder().addAllCell(row.values()));
      }
    }
    return response.build();
  }

  Message multi(ClientProtos.MultiRequest request) {
    ClientProtos.RegionActionResult.Builder results = ClientProtos.RegionActionResult.newBuilder();
    for (ClientProtos.Action action : request.getRegionAction(0).getActionList()) {
      ClientProtos.ResultOrException.Builder result =
          ClientProtos.ResultOrException.newBuilder().setIndex(action.getIndex());
      if (refused.test(action.getMutation())) {
        result.setException(
            HBaseProtos.NameBytesPair.newBuilder()
                .setName(DoNotRetryIOException.class.getName())
                .setValue(ByteString.copyFromUtf8("a test refuses it")));
      } else {
        mutate(action.getMutation());
      }
      results.addResultOrException(result);
    }
    return ClientProtos.MultiResponse.newBuilder().addRegionActionResult(results).build();
  }

  private void mutate(ClientProtos.MutationProto mutation) {
    byte[] row = mutation.getRow().toByteArray();
    TreeMap<String, CellProtos.Cell> columns = rows.computeIfAbsent(row, key -> new TreeMap<>());
    for (ClientProtos.MutationProto.ColumnValue family : mutation.getColumnValueList()) {
      String prefix = family.getFamily().toStringUtf8() + ":";
      String marker = Bytes.toStringBinary(row) + "/" + prefix;
      for (var value : family.getQualifierValueList()) {
        if (mutation.getMutateType() == ClientProtos.MutationProto.MutationType.DELETE) {
          boolean all =
              value.getDeleteType() == ClientProtos.MutationProto.DeleteType.DELETE_FAMILY;
          String column = prefix + value.getQualifier().toStringUtf8();
          if (all) {
            deletes.merge(marker, value.getTimestamp(), Math::max);
          }
          columns
              .entrySet()
              .removeIf(
                  cell ->
                      (all ? cell.getKey().startsWith(prefix) : cell.getKey().equals(column))
                          && cell.getValue().getTimestamp() <= value.getTimestamp());
        } else if (value.getTimestamp() > deletes.getOrDefault(marker, -1L)) {
          columns.merge(
              prefix + value.getQualifier().toStringUtf8(),
              CellProtos.Cell.newBuilder()
                  .setRow(mutation.getRow())
                  .setFamily(family.getFamily())
                  .setQualifier(value.getQualifier())
                  .setTimestamp(value.getTimestamp())
                  .setValue(value.getValue())
                  .build(),
              (present, late) -> late.getTimestamp() < present.getTimestamp() ? present : late);
        }
      }
    }
  }
}
