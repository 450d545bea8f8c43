package dev.cairn.interop.wal;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.wal.file.Nonce;
import dev.cairn.engine.wal.file.WalAttributes;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.engine.wal.file.WalReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * Random log entries, the same for the same seed, and what both sides' entries say in one line
 * each, to compare. Names repeat often, and are more than the dictionaries of a compressed log
 * hold.
 */
final class LogEntries {
  static final TableName TABLE = TableName.parse("space:table");

  private static final int VALUE_SIZE_MAX = 200;
  private static final int SHOWN_MAX = 60;
  private static final int GIANT_VALUE_SIZE = 300_000;
  private static final CellType[] TYPES = {
    CellType.PUT, CellType.PUT, CellType.PUT, CellType.DELETE, CellType.DELETE_COLUMN
  };

  private final SplittableRandom random;
  private final List<String> regions;
  private final int rows;
  private long sequence;

  /**
   * Creates entries.
   *
   * @param rows how many rows the entries are about; HBase's dictionary holds 32767
   */
  LogEntries(long seed, List<String> regions, int rows) {
    this.random = new SplittableRandom(seed);
    this.regions = regions;
    this.rows = rows;
  }

  /** Returns the next entry, whose number is one more than that of the last. */
  WalEntry next() {
    sequence++;
    CellBuffer cells = new CellBuffer();
    int count = random.nextInt(1, 5);
    for (int i = 0; i < count; i++) {
      cells.add(
          Bytes.utf8("row-" + random.nextInt(rows)),
          Bytes.utf8("family-" + random.nextInt(150)),
          Bytes.utf8("q".repeat(random.nextInt(3)) + random.nextInt(200)),
          sequence,
          TYPES[random.nextInt(TYPES.length)].code(),
          value(),
          tags());
    }
    return new WalEntry(
        regions.get(random.nextInt(regions.size())),
        TABLE,
        sequence,
        1000 + sequence,
        cells,
        Nonce.NONE,
        clusterIds(),
        attributes());
  }

  /** Some values occur often, as they share a dictionary with the tables. */
  private WalAttributes attributes() {
    Map<String, byte[]> attributes = new TreeMap<>();
    for (int i = Math.max(0, random.nextInt(8) - 4); i > 0; i--) {
      byte[] value = new byte[random.nextInt(4) == 0 ? 0 : random.nextInt(1, 300)];
      if (random.nextBoolean()) {
        random.nextBytes(value);
      }
      attributes.put("attribute-\u00e4-" + random.nextInt(9), value);
    }
    return WalAttributes.of(attributes);
  }

  private List<UUID> clusterIds() {
    List<UUID> ids = new ArrayList<>();
    for (int i = Math.max(0, random.nextInt(6) - 3); i > 0; i--) {
      ids.add(new UUID(random.nextLong(), random.nextLong() >>> random.nextInt(64)));
    }
    return ids;
  }

  List<WalEntry> next(int count) {
    List<WalEntry> entries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      entries.add(next());
    }
    return entries;
  }

  private byte[] value() {
    byte[] value =
        new byte[random.nextInt(500) == 0 ? GIANT_VALUE_SIZE : random.nextInt(VALUE_SIZE_MAX)];
    // Half of them compress well.
    if (random.nextBoolean()) {
      random.nextBytes(value);
    }
    return random.nextInt(5) == 0 ? Bytes.EMPTY : value;
  }

  private byte[] tags() {
    int count = Math.max(0, random.nextInt(6) - 3);
    byte[] tags = new byte[0];
    for (int i = 0; i < count; i++) {
      byte[] tag = new byte[3 + random.nextInt(1, 4)];
      tag[1] = (byte) (tag.length - 2);
      tag[2] = (byte) random.nextInt(65, 70);
      byte[] more = Arrays.copyOf(tags, tags.length + tag.length);
      System.arraycopy(tag, 0, more, tags.length, tag.length);
      tags = more;
    }
    return tags;
  }

  /** Returns what an entry says. */
  static String text(WalEntry entry) {
    StringBuilder text = new StringBuilder();
    text.append(entry.table()).append(' ').append(entry.region());
    text.append(' ').append(entry.sequence()).append(' ').append(entry.writeTimeMillis());
    text.append(' ').append(entry.clusterIds());
    text.append(text(entry.attributes().toMap()));
    CellBuffer cells = entry.cells();
    for (int i = 0; i < cells.size(); i++) {
      text.append(' ');
      text.append(text(cells.bytes(i), cells.offset(i), cells.length(i)));
    }
    return text.toString();
  }

  /** Returns the attributes of an entry by name. */
  static String text(Map<String, byte[]> attributes) {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(attributes)
        .forEach(
            (name, value) ->
                text.append(' ').append(name).append('=').append(Bytes.toStringBinary(value)));
    return text.toString();
  }

  /** Returns a cell's bytes, the end of a long one as a checksum. */
  static String text(byte[] bytes, int offset, int length) {
    int shown = Math.min(length, SHOWN_MAX);
    CRC32C rest = new CRC32C();
    rest.update(bytes, offset + shown, length - shown);
    return Bytes.toStringBinary(bytes, offset, shown)
        + "+"
        + (length - shown)
        + ":"
        + rest.getValue();
  }

  static List<String> texts(List<WalEntry> entries) {
    return entries.stream().map(LogEntries::text).toList();
  }

  /** Returns the entries that are left. */
  static List<String> readAll(WalReader reader) throws IOException {
    List<String> found = new ArrayList<>();
    while (reader.next()) {
      found.add(text(reader.entry()));
    }
    return found;
  }
}
