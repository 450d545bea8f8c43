package dev.cairn.coprocessor.write;

import dev.cairn.coprocessor.convert.Cells;
import dev.cairn.coprocessor.log.LogEdits;
import dev.cairn.engine.region.write.StagedWrite;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
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
      changed = write.logging(LogEdits.checked(info, schema, all));
    }
    if (!hooks.seesLog() || changed.logged().isEmpty()) {
      return changed;
    }
    WALKeyImpl key =
        new WALKeyImpl(
            info.encodedName().getBytes(StandardCharsets.UTF_8),
            TableName.valueOf(info.table().toString()),
            write.millis());
    WALEdit edit = LogEdits.edit(changed.logged());
    List<Cell> shown = List.copyOf(edit.getCells());
    hooks.preWalAppend(key, edit);
    if (!key.getExtendedAttributes().isEmpty()) {
      changed = changed.described(LogEdits.attributes(key, hooks.compressedLog()));
    }
    return LogEdits.isSame(shown, edit.getCells())
        ? changed
        : changed.logging(LogEdits.checked(info, schema, edit.getCells()));
  }
}
