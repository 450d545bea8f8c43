package dev.cairn.engine.wal;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.Storage.FileInfo;
import dev.cairn.engine.wal.file.Nonce;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.engine.wal.file.WalFileName;
import dev.cairn.engine.wal.file.WalReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Log entries for tests, and what they say in one line each, to compare. */
public final class Entries {
  public static final TableName TABLE = TableName.parse("space:table");
  public static final String REGION = "0123456789abcdef0123456789abcdef";

  private Entries() {}

  public static WalEntry of(String region, long sequence, String... values) {
    CellBuffer cells = new CellBuffer();
    for (String value : values) {
      cells.add(
          Bytes.utf8("row" + sequence),
          Bytes.utf8("f"),
          Bytes.utf8("q" + cells.size()),
          sequence,
          CellType.PUT.code(),
          Bytes.utf8(value),
          cells.size() % 2 == 0 ? Bytes.EMPTY : new byte[] {0, 2, 9, 9});
    }
    return new WalEntry(region, TABLE, sequence, 1_700_000_000_000L + sequence, cells);
  }

  public static WalEntry random(String region, long sequence, RandomGenerator random, int sizeMax) {
    CellBuffer cells = new CellBuffer();
    int count = random.nextInt(1, 5);
    for (int i = 0; i < count; i++) {
      byte[] value = new byte[random.nextInt(sizeMax)];
      random.nextBytes(value);
      cells.add(
          Bytes.utf8("row" + random.nextInt()),
          Bytes.utf8("f"),
          Bytes.utf8("q" + i),
          sequence,
          CellType.PUT.code(),
          value,
          Bytes.EMPTY);
    }
    return new WalEntry(region, TABLE, sequence, 1, cells, Nonce.NONE, clusterIds(random));
  }

  /** Returns ids with numbers of any length; mostly none. */
  private static List<UUID> clusterIds(RandomGenerator random) {
    List<UUID> ids = new ArrayList<>();
    for (int i = Math.max(0, random.nextInt(6) - 3); i > 0; i--) {
      ids.add(
          new UUID(
              random.nextLong() >>> random.nextInt(64), random.nextLong() >>> random.nextInt(64)));
    }
    return ids;
  }

  /** Two entries are the same exactly if these are. */
  public static String text(WalEntry entry) {
    StringBuilder text = new StringBuilder();
    text.append(entry.table()).append(' ').append(entry.region()).append(' ');
    text.append(entry.sequence()).append(' ').append(entry.writeTimeMillis());
    text.append(entry.clusterIds());
    CellBuffer cells = entry.cells();
    for (int i = 0; i < cells.size(); i++) {
      byte[] bytes =
          Arrays.copyOfRange(cells.bytes(i), cells.offset(i), cells.offset(i) + cells.length(i));
      text.append(' ').append(Bytes.toStringBinary(bytes));
    }
    return text.toString();
  }

  public static List<String> texts(List<WalEntry> entries) {
    return entries.stream().map(Entries::text).toList();
  }

  public static List<String> readAll(Storage storage, String path) throws IOException {
    List<String> entries = new ArrayList<>();
    try (WalReader reader = WalReader.open(storage, path)) {
      while (reader.next()) {
        entries.add(text(reader.entry()));
      }
    }
    return entries;
  }

  /**
   * Returns the entries that a recovery finds in all files of these directories, in each from the
   * oldest to the newest.
   */
  public static List<String> readAll(Storage storage, List<String> directories) throws IOException {
    List<String> entries = new ArrayList<>();
    for (String directory : directories) {
      List<FileInfo> files = new ArrayList<>(storage.list(directory));
      files.sort(WalFileName.ORDER);
      for (FileInfo file : files) {
        entries.addAll(readAll(storage, file.path()));
      }
    }
    return entries;
  }

  public static void write(Storage storage, String path, byte[] bytes, int length)
      throws IOException {
    storage.delete(path);
    try (var file = storage.create(path)) {
      file.write(bytes, 0, length);
      file.sync();
    }
  }
}
