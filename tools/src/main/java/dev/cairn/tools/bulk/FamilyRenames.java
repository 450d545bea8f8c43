package dev.cairn.tools.bulk;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Renames families of cells on their way into a table.
 *
 * @param names the new names, by the old ones
 */
public record FamilyRenames(Map<byte[], byte[]> names) {
  /** Copies the names. */
  public FamilyRenames {
    Map<byte[], byte[]> copy = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    copy.putAll(names);
    names = copy;
  }

  /** Tells whether all families keep their names. */
  boolean isEmpty() {
    return names.isEmpty();
  }

  /** Returns a cell in its new family, of a class that mutations can send. */
  Cell rename(Cell cell) {
    byte[] family = CellUtil.cloneFamily(cell);
    byte[] name = names.getOrDefault(family, family);
    if (name == family && cell instanceof ExtendedCell) {
      return cell;
    }
    return new KeyValue(
        cell.getRowArray(),
        cell.getRowOffset(),
        cell.getRowLength(),
        name,
        0,
        name.length,
        cell.getQualifierArray(),
        cell.getQualifierOffset(),
        cell.getQualifierLength(),
        cell.getTimestamp(),
        KeyValue.Type.codeToType(cell.getType().getCode()),
        cell.getValueArray(),
        cell.getValueOffset(),
        cell.getValueLength(),
        cell instanceof ExtendedCell extended ? PrivateCellUtil.getTags(extended) : List.of());
  }

  /** Describes the renames, as the end of a job's description. Empty if there are none. */
  String description() {
    StringBuilder text = new StringBuilder();
    names.forEach(
        (old, renamed) ->
            text.append(", ")
                .append(Bytes.toStringBinary(old))
                .append(" as ")
                .append(Bytes.toStringBinary(renamed)));
    return text.toString();
  }
}
