package dev.cairn.tools.backup;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellTags;
import dev.cairn.engine.cell.CellType;
import dev.cairn.tools.changes.CellText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.ExtendedCellBuilderFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;

/** The cells to write to one row: of equal keys, the last one. */
final class RowChanges {
  private static final long NO_TTL = Long.MAX_VALUE;

  private final byte[] row;

  /** The cells by their key in the row: column, timestamp and type. */
  private final Map<ByteBuffer, Cell> cells = new LinkedHashMap<>();

  RowChanges(byte[] row) {
    this.row = row;
  }

  void add(Cell cell) {
    int from = cell.familyOffset();
    int to = cell.keyOffset() + cell.keyLength();
    ByteBuffer key = ByteBuffer.wrap(Arrays.copyOfRange(cell.bytes(), from, to));
    cells.remove(key);
    cells.put(key, cell.copy());
  }

  /** Returns the mutation that writes the cells atomically. */
  Row mutation() throws IOException {
    Map<Long, Put> puts = new LinkedHashMap<>(); // by the cells' time to live
    Delete delete = new Delete(row);
    for (Cell cell : cells.values()) {
      if (cell.isDelete()) {
        delete.add(client(cell));
      } else {
        puts.computeIfAbsent(CellTags.ttlMillis(cell), this::put).add(client(cell));
      }
    }
    RowMutations all = new RowMutations(row);
    if (!delete.isEmpty()) {
      all.add((Mutation) delete);
    }
    for (Put put : puts.values()) {
      all.add((Mutation) put);
    }
    return all.getMutations().size() == 1 ? all.getMutations().get(0) : all;
  }

  private Put put(long ttlMillis) {
    Put put = new Put(row);
    if (ttlMillis != NO_TTL) {
      put.setTTL(ttlMillis);
    }
    return put;
  }

  private static org.apache.hadoop.hbase.Cell client(Cell cell) {
    return ExtendedCellBuilderFactory.create(CellBuilderType.DEEP_COPY)
        .setRow(cell.bytes(), cell.rowOffset(), cell.rowLength())
        .setFamily(cell.bytes(), cell.familyOffset(), cell.familyLength())
        .setQualifier(cell.bytes(), cell.qualifierOffset(), cell.qualifierLength())
        .setTimestamp(cell.timestamp())
        .setType(
            org.apache.hadoop.hbase.Cell.Type.valueOf(CellText.type(CellType.of(cell.typeCode()))))
        .setValue(cell.bytes(), cell.valueOffset(), cell.valueLength())
        .setTags(cell.bytes(), cell.tagsOffset(), cell.tagsLength())
        .build();
  }
}
