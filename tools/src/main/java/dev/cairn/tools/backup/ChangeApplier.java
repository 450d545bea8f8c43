package dev.cairn.tools.backup;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;

/**
 * Writes changes to a table, many rows at a time. Cells keep their timestamps and types; of cells
 * with equal keys, the last one counts. One thread.
 */
final class ChangeApplier {
  private static final int BYTES_MAX = 2 << 20;
  private static final int ROWS_MAX = 2_000;

  private final Table table;
  private final AddedFamilies families;
  private final Map<ByteBuffer, RowChanges> rows = new LinkedHashMap<>();
  private long bytes;

  /**
   * Creates a writer.
   *
   * @param families those of the table; if the order of changes is visible, each change of a row is
   *     written by itself
   */
  ChangeApplier(Table table, AddedFamilies families) {
    this.table = table;
    this.families = families;
  }

  /** Adds a change. */
  void add(CellBuffer cells) throws IOException {
    if (families.isOrderVisible() && hasRowOf(cells)) {
      send();
    }
    if (!families.hasAllOf(cells)) {
      send();
      families.add(cells);
    }
    for (int i = 0; i < cells.size(); i++) {
      Cell cell = cells.get(i);
      byte[] row = cell.row();
      rows.computeIfAbsent(ByteBuffer.wrap(row), key -> new RowChanges(row)).add(cell);
      bytes += cells.length(i);
    }
    if (bytes >= BYTES_MAX || rows.size() >= ROWS_MAX) {
      send();
    }
  }

  private boolean hasRowOf(CellBuffer cells) {
    for (int i = 0; i < cells.size(); i++) {
      if (rows.containsKey(ByteBuffer.wrap(cells.get(i).row()))) {
        return true;
      }
    }
    return false;
  }

  /** Writes the added changes. */
  void send() throws IOException {
    if (rows.isEmpty()) {
      return;
    }
    List<Row> actions = new ArrayList<>();
    for (RowChanges row : rows.values()) {
      actions.add(row.mutation());
    }
    rows.clear();
    bytes = 0;
    try {
      table.batch(actions, new Object[actions.size()]);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }
}
