package dev.cairn.launcher.bulk;

import dev.cairn.launcher.bulk.format.RowReader;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Selects the cells of files that a job writes into a table, and renames their families.
 *
 * @param cells the selected cells; versions are not counted
 * @param renames the new names of families, by their names in the files
 */
public record FileSelection(Selection cells, Map<byte[], byte[]> renames) {
  /** Copies the names. */
  public FileSelection {
    Map<byte[], byte[]> copy = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    copy.putAll(renames);
    renames = copy;
  }

  /** Tells whether all cells are selected, under their own names. */
  boolean isEverything() {
    return cells.isEverything() && renames.isEmpty();
  }

  /** Returns a reader of the selected cells, which closes {@code all}. */
  RowReader select(RowReader all) throws IOException {
    return isEverything() ? all : new SelectedRows(all, this);
  }

  /** Returns a line that identifies this selection; empty for everything. */
  String description() {
    if (isEverything()) {
      return "";
    }
    StringBuilder text = new StringBuilder(", ").append(cells.description());
    renames.forEach(
        (old, renamed) ->
            text.append(", ")
                .append(Bytes.toStringBinary(old))
                .append(" as ")
                .append(Bytes.toStringBinary(renamed)));
    return text.toString();
  }
}
