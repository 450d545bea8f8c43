package dev.cairn.shell.command;

import dev.cairn.keys.KeyDisplay;
import dev.cairn.shell.run.Options;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.value.Text;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;

/** Formats cells for {@code get} and {@code scan}. */
final class CellText {
  /** The key that, if true, shows timestamps as milliseconds since 1970. */
  private static final String EPOCH = "hbase.shell.timestamp.format.epoch";

  private final boolean meta;
  private final boolean epoch;
  private final Clock clock;
  private final Map<Text, ValueFormat> formats = new HashMap<>();
  private final Optional<ValueFormat> everywhere;
  private final int maxLength;
  private KeyDisplay keys = KeyDisplay.BYTES;

  /**
   * Takes the format options: FORMATTER, FORMATTER_CLASS and MAXLENGTH.
   *
   * @param table the cells' table; those of {@code hbase:meta} are decoded
   * @param session has the zone of timestamps, or the setting that prints them as numbers
   */
  CellText(TableName table, Options options, Session session) throws IOException {
    this.meta = TableName.META_TABLE_NAME.equals(table);
    this.clock = session.clock();
    this.epoch = session.connection().getConfiguration().getBoolean(EPOCH, false);
    String className = options.letters("FORMATTER_CLASS").orElse(Bytes.class.getName());
    this.everywhere = options.letters("FORMATTER").map(method -> ValueFormat.of(className, method));
    this.maxLength = options.integer("MAXLENGTH").filter(length -> length > 0).orElse(-1);
  }

  /** Sets the format of a column's values, if the column names one. */
  void add(Column column) {
    column.format().ifPresent(format -> formats.put(column.key(), format));
  }

  /** Sets how row keys are shown, after their bytes. */
  void show(KeyDisplay display) {
    keys = display;
  }

  /** Returns a row's key. */
  String row(byte[] row) {
    String text = bytes(row).toString();
    return keys.parts(row).map(key -> text + " {" + key + "}").orElse(text);
  }

  /** Returns a cell's column. */
  String column(Cell cell) {
    return bytes(CellUtil.cloneFamily(cell)) + ":" + bytes(CellUtil.cloneQualifier(cell));
  }

  private Object bytes(byte[] bytes) {
    return everywhere.isPresent() ? everywhere.get().format(bytes) : Bytes.toStringBinary(bytes);
  }

  /** Returns a cell's timestamp and value; for a delete marker, its type instead of the value. */
  String content(Cell cell) {
    Instant time = Instant.ofEpochMilli(cell.getTimestamp());
    String text =
        "timestamp="
            + (epoch ? cell.getTimestamp() : LocalDateTime.ofInstant(time, clock.getZone()))
            + ", "
            + (CellUtil.isPut(cell) ? "value=" + value(cell) : "type=" + cell.getType());
    return shortened(text);
  }

  private String shortened(String text) {
    return maxLength < 0 || text.length() <= maxLength ? text : text.substring(0, maxLength);
  }

  /** Returns a cell's value: a string, or what its format returns. */
  private Object value(Cell cell) {
    byte[] value = CellUtil.cloneValue(cell);
    if (meta) {
      switch (column(cell)) {
        case "info:regioninfo" -> {
          RegionInfo region = RegionInfo.parseFromOrNull(value);
          return region == null ? Bytes.toStringBinary(value) : region.toString();
        }
        case "info:serverstartcode" -> {
          if (value.length == Bytes.SIZEOF_LONG) {
            return Bytes.toLong(value);
          }
          return Bytes.toStringBinary(value);
        }
        default -> {}
      }
    }
    ValueFormat format = formats.isEmpty() ? null : formats.get(key(cell));
    return format == null ? bytes(value) : format.format(value);
  }

  private static Text key(Cell cell) {
    return Text.of(CellUtil.cloneFamily(cell))
        .plus(Text.of(":"))
        .plus(Text.of(CellUtil.cloneQualifier(cell)));
  }

  /**
   * Returns the fields of a cell for JSON: timestamps are milliseconds since 1970; MAXLENGTH limits
   * values that are strings.
   */
  Map<String, Object> fields(Cell cell) {
    Map<String, Object> fields = new LinkedHashMap<>();
    byte[] row = CellUtil.cloneRow(cell);
    fields.put("row", bytes(row));
    keys.parts(row).ifPresent(key -> fields.put("key", key));
    fields.put("column", column(cell));
    fields.put("timestamp", cell.getTimestamp());
    fields.put("type", String.valueOf(cell.getType()));
    if (CellUtil.isPut(cell)) {
      Object value = value(cell);
      fields.put("value", value instanceof String text ? shortened(text) : value);
    }
    return fields;
  }
}
