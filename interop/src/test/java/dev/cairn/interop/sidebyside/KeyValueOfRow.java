package dev.cairn.interop.sidebyside;

import dev.cairn.engine.cell.CellType;
import dev.cairn.torture.model.Text;
import dev.cairn.torture.model.Version;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.RawCell;
import org.apache.hadoop.hbase.Tag;

/** The model's cells as those of Apache's client. */
final class KeyValueOfRow {
  private KeyValueOfRow() {}

  static Cell first(String row) {
    return KeyValueUtil.createFirstOnRow(Text.bytes(row));
  }

  static Cell of(String row, Version version) {
    return new KeyValue(
        Text.bytes(row),
        Text.bytes(version.family()),
        Text.bytes(version.qualifier()),
        version.timestamp(),
        KeyValue.Type.codeToType((byte) version.type().code()),
        Text.bytes(version.value()),
        version.tags().stream()
            .<Tag>map(tag -> new ArrayBackedTag((byte) tag.type(), Text.bytes(tag.value())))
            .toList());
  }

  static Version version(Cell cell) {
    return Version.of(
        Text.of(CellUtil.cloneFamily(cell)),
        Text.of(CellUtil.cloneQualifier(cell)),
        cell.getTimestamp(),
        CellType.of(cell.getType().getCode()),
        Text.of(CellUtil.cloneValue(cell)),
        tags(cell));
  }

  /** Returns the tags of a cell. */
  static List<dev.cairn.torture.model.Tag> tags(Cell cell) {
    List<dev.cairn.torture.model.Tag> tags = new ArrayList<>();
    if (cell instanceof RawCell raw) {
      raw.getTags()
          .forEachRemaining(
              tag ->
                  tags.add(
                      new dev.cairn.torture.model.Tag(
                          tag.getType(), Text.of(Tag.cloneValue(tag)))));
    }
    return tags;
  }
}
