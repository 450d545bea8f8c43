package dev.cairn.coprocessor.log;

import dev.cairn.coprocessor.convert.Cells;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.wal.file.Nonce;
import dev.cairn.engine.wal.file.WalAttributes;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKeyImpl;

/** Converts entries of the log to HBase's keys and edits, and checks those that hooks change. */
public final class LogEdits {
  private LogEdits() {}

  /** Returns cells as an edit, over the same bytes. */
  public static WALEdit edit(CellBuffer cells) {
    WALEdit edit = new WALEdit();
    Cells.views(cells).forEach(edit::add);
    return edit;
  }

  /** Returns copies of cells as an edit: hooks may write to their bytes. */
  public static WALEdit copy(CellBuffer cells) {
    return edit(CellBuffer.copyOf(cells, 0, cells.size()));
  }

  /** Tells whether an edit has no cells of a table, but only markers of events. */
  public static boolean hasOnlyMarkers(WALEdit edit) {
    return edit.getCells().stream().allMatch(WALEdit::isMetaEditFamily);
  }

  /** Returns the key of an entry. */
  public static WALKeyImpl key(WalEntry entry) {
    Nonce nonce = entry.nonce();
    WALKeyImpl key =
        new WALKeyImpl(
            entry.region().getBytes(StandardCharsets.UTF_8),
            TableName.valueOf(entry.table().toString()),
            entry.sequence(),
            entry.writeTimeMillis(),
            entry.clusterIds(),
            nonce.isPresent() ? nonce.group() : 0,
            nonce.isPresent() ? nonce.number() : 0,
            null);
    entry.attributes().toMap().forEach(key::addExtendedAttribute);
    return key;
  }

  /**
   * Returns the attributes of a key.
   *
   * @param compressed whether the log is compressed
   * @throws IOException if they are more than the log keeps
   */
  public static WalAttributes attributes(WALKeyImpl key, boolean compressed) throws IOException {
    try {
      WalAttributes attributes = WalAttributes.of(key.getExtendedAttributes());
      return compressed ? attributes.requireCompressible() : attributes;
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException(e.getMessage(), e);
    }
  }

  /** Tells whether an edit still has the cells that hooks were shown. */
  public static boolean isSame(List<Cell> shown, List<Cell> now) {
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

  /**
   * Returns copies of cells that hooks want in an entry.
   *
   * @throws IOException if the region cannot have one of them
   */
  public static CellBuffer checked(RegionInfo info, TableSchema schema, List<Cell> cells)
      throws IOException {
    CellBuffer logged = new CellBuffer();
    for (Cell cell : cells) {
      boolean marker = WALEdit.isMetaEditFamily(cell);
      if (!marker
          && (!info.contains(CellUtil.cloneRow(cell))
              || schema.family(CellUtil.cloneFamily(cell)).isEmpty())) {
        throw new DoNotRetryIOException(
            "A coprocessor adds a cell to the log that the region cannot have: " + cell);
      }
      Cells.add(cell, logged);
    }
    return logged;
  }
}
