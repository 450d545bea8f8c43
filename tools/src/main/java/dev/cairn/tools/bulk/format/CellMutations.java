package dev.cairn.tools.bulk.format;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;

/** Makes the mutations that write a row's cells as they are, markers included. */
public final class CellMutations {
  private CellMutations() {}

  /**
   * Returns at most one put and one deletion for the cells of one row.
   *
   * @param cells of one row
   */
  public static void of(List<Cell> cells, Consumer<Mutation> mutations) throws IOException {
    Put put = null;
    Delete delete = null;
    for (Cell cell : cells) {
      if (CellUtil.isDelete(cell)) {
        delete = delete == null ? new Delete(CellUtil.cloneRow(cell)) : delete;
        delete.add(cell);
      } else {
        put = put == null ? new Put(CellUtil.cloneRow(cell)) : put;
        put.add(cell);
      }
    }
    if (put != null) {
      mutations.accept(put);
    }
    if (delete != null) {
      mutations.accept(delete);
    }
  }
}
