package dev.cairn.interop.wal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.codec.KeyValueCodecWithTags;
import org.apache.hadoop.hbase.util.Bytes;

/** Cells with tags of all kinds, and how a client must see them. */
final class TaggedCells {
  static final byte[] F = Bytes.toBytes("f");

  private static final byte[] Q = Bytes.toBytes("q");
  private static final long TIMESTAMP = 7;
  private static final byte OWN_TYPE = 77;

  private TaggedCells() {}

  /**
   * Returns two cells, in order: one whose TTL has passed, and a live one with a TTL, a visibility
   * label and tags of unknown types.
   *
   * @param way the beginning of their rows
   */
  static List<KeyValue> of(String way) {
    return List.of(
        cell(way + "-expired", ttl(1), own("hidden")),
        cell(way + "-living", ttl(1L << 50), label(), own("short"), own("long".repeat(80))));
  }

  private static KeyValue cell(String row, Tag... tags) {
    return new KeyValue(
        Bytes.toBytes(row),
        F,
        Q,
        TIMESTAMP,
        KeyValue.Type.Put,
        Bytes.toBytes("value of " + row),
        List.of(tags));
  }

  private static Tag ttl(long millis) {
    return new ArrayBackedTag(TagType.TTL_TAG_TYPE, Bytes.toBytes(millis));
  }

  private static Tag label() {
    return new ArrayBackedTag(TagType.VISIBILITY_TAG_TYPE, new byte[] {0, 1, 2});
  }

  private static Tag own(String value) {
    return new ArrayBackedTag(OWN_TYPE, Bytes.toBytes(value));
  }

  /** Returns what a client must see of {@link #of}. */
  static List<String> seen(List<String> ways) {
    return ways.stream().map(way -> text(of(way).get(1))).sorted().toList();
  }

  /** Returns what a client sees of a table, in the order of rows. */
  static List<String> read(Connection connection, TableName name) throws IOException {
    List<String> found = new ArrayList<>();
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan().readAllVersions())) {
      for (Result row : scanner) {
        for (Cell cell : row.rawCells()) {
          found.add(text((ExtendedCell) cell));
        }
      }
    }
    return found;
  }

  private static String text(ExtendedCell cell) {
    List<String> tags =
        PrivateCellUtil.getTags(cell).stream()
            .map(tag -> tag.getType() + ":" + Bytes.toStringBinary(Tag.cloneValue(tag)))
            .toList();
    return Bytes.toString(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength())
        + "="
        + Bytes.toString(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength())
        + tags;
  }

  /** Makes a client send and receive tags. */
  static Configuration withTags(Configuration client) {
    client.set("hbase.client.rpc.codec", KeyValueCodecWithTags.class.getName());
    return client;
  }
}
