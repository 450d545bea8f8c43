package dev.cairn.coprocessor.write;

import dev.cairn.coprocessor.convert.Cells;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.write.StagedWrite;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKeyImpl;

/**
 * The log's entry of a write as hooks see and change it. A recovery restores all cells of the
 * entry, as HBase's does. One thread.
 */
final class LogEntry {
  private final RegionInfo info;
  private final TableSchema schema;
  private final WriteHooks hooks;

  LogEntry(RegionInfo info, TableSchema schema, WriteHooks hooks) {
    this.info = info;
    this.schema = schema;
    this.hooks = hooks;
  }

  /**
   * Returns a write with the log entry that hooks leave.
   *
   * @param edits the cells that hooks have added for the log alone
   */
  StagedWrite changed(StagedWrite write, List<WALEdit> edits) throws IOException {
    StagedWrite changed = write;
    if (!edits.isEmpty()) {
      List<Cell> all = new ArrayList<>();
      edits.forEach(edit -> all.addAll(edit.getCells()));
      all.addAll(Cells.views(write.logged()));
      changed = write.logging(checked(all));
    }
    if (!hooks.seesLog() || changed.logged().isEmpty()) {
      return changed;
    }
    WALKeyImpl key =
        new WALKeyImpl(
            info.encodedName().getBytes(StandardCharsets.UTF_8),
            TableName.valueOf(info.table().toString()),
            write.millis());
    WALEdit edit = edit(changed);
    List<Cell> shown = List.copyOf(edit.getCells());
    hooks.preWalAppend(key, edit);
    if (!key.getExtendedAttributes().isEmpty()) {
      throw new DoNotRetryIOException(
          "A coprocessor adds attributes to the log's entry, which Cairn does not keep: "
              + key.getExtendedAttributes().keySet());
    }
    return isSame(shown, edit.getCells()) ? changed : changed.logging(checked(edit.getCells()));
  }

  private static boolean isSame(List<Cell> shown, List<Cell> now) {
    if (shown.size() != now.size()) {
      return false;
    }
    for (int i = 0; i < shown.size(); i++) {
      if (shown.get(i) != now.get(i)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the entry of a write for hooks. */
  static WALEdit edit(StagedWrite write) {
    WALEdit edit = new WALEdit();
    Cells.views(write.logged()).forEach(edit::add);
    return edit;
  }

  private CellBuffer checked(List<Cell> cells) throws IOException {
    CellBuffer logged = new CellBuffer();
    for (Cell cell : cells) {
      byte[] row = CellUtil.cloneRow(cell);
      byte[] family = CellUtil.cloneFamily(cell);
      if (!info.contains(row) || schema.family(family).isEmpty()) {
        throw new DoNotRetryIOException(
            "A coprocessor adds a cell to the log that the region cannot have: " + cell);
      }
      Cells.add(cell, logged);
    }
    return logged;
  }
}
