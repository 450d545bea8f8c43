package dev.cairn.tools.inspect;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.wal.file.WalEntry;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Selects the entries of a log, and the cells in them, that are printed.
 *
 * @param tables by name, with the namespace unless it is the default one; all if there is none
 * @param region the region's encoded name
 * @param sequence the sequence number
 * @param row a row in its printed form
 * @param rowPrefix prefix of the printed form of a row
 * @param from offset in the file, in bytes; earlier entries are skipped
 */
public record WalFilter(
    Set<String> tables,
    Optional<String> region,
    OptionalLong sequence,
    Optional<String> row,
    Optional<String> rowPrefix,
    long from) {
  boolean takes(WalEntry entry, long offset) {
    return offset >= from
        && (tables.isEmpty() || tables.contains(entry.table().toString()))
        && (region.isEmpty() || region.get().equals(entry.region()))
        && (sequence.isEmpty() || sequence.getAsLong() == entry.sequence());
  }

  boolean takes(Cell cell) {
    if (row.isEmpty() && rowPrefix.isEmpty()) {
      return true;
    }
    String text = Bytes.toStringBinary(cell.bytes(), cell.rowOffset(), cell.rowLength());
    return row.map(text::equals).orElse(true) && rowPrefix.map(text::startsWith).orElse(true);
  }
}
