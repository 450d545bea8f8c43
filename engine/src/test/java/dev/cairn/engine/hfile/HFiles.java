package dev.cairn.engine.hfile;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.hfile.codec.Compression;
import dev.cairn.engine.hfile.encoding.DataBlockEncoding;
import dev.cairn.engine.hfile.format.ChecksumType;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.schema.FamilySchema.BloomType;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Random cells, small files, and what a test sees in them. */
public final class HFiles {
  private static final int[] TYPES = {4, 4, 4, 4, 8, 10, 12, 14};

  private HFiles() {}

  /** Blocks of a few cells, so that a small file has several levels of index. */
  public static HFileOptions options(
      Compression compression, DataBlockEncoding encoding, BloomType bloom, boolean tags) {
    return new HFileOptions(
        // A bzip2 stream needs megabytes of memory, however little it compresses.
        compression == Compression.BZIP2 ? 3000 : 200,
        compression,
        encoding,
        bloom,
        bloom == BloomType.ROWPREFIX_FIXED_LENGTH ? 3 : 0,
        CellComparator.USER,
        tags,
        ChecksumType.CRC32C,
        250,
        16);
  }

  public static HFileOptions plain() {
    return options(Compression.NONE, DataBlockEncoding.NONE, BloomType.ROW, true);
  }

  /** Returns cells in order; some differ in their sequence numbers only. */
  public static List<Cell> randomCells(Random random, int count, boolean tags) {
    List<Cell> cells = new ArrayList<>();
    while (cells.size() < count) {
      int type = TYPES[random.nextInt(TYPES.length)];
      boolean family = type == CellType.DELETE_FAMILY.code() || type == 10;
      Cell cell =
          Cell.of(
              Bytes.utf8(randomRow(random)),
              Bytes.utf8("f"),
              family ? Bytes.EMPTY : Bytes.utf8("q".repeat(random.nextInt(3)) + random.nextInt(3)),
              randomTimestamp(random),
              type,
              Bytes.utf8("value".repeat(random.nextInt(3))),
              tags && random.nextBoolean() ? new byte[random.nextInt(1, 5)] : Bytes.EMPTY,
              random.nextInt(4) == 0 ? random.nextLong(Long.MAX_VALUE) : random.nextInt(100));
      cells.add(cell);
      for (int copies = random.nextInt(20) - 16; copies > 0; copies--) {
        cells.add(
            Cell.of(
                cell.row(),
                cell.family(),
                cell.qualifier(),
                cell.timestamp(),
                type,
                cell.value(),
                Bytes.EMPTY,
                random.nextInt(100)));
      }
    }
    cells.sort(CellComparator.USER);
    return cells;
  }

  public static String randomRow(Random random) {
    return "row" + random.nextInt(40) + "x".repeat(random.nextInt(3));
  }

  private static long randomTimestamp(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> random.nextLong();
      case 2 -> Long.MAX_VALUE - random.nextInt(3);
      case 3 -> Long.MIN_VALUE + random.nextInt(3);
      default -> 1_700_000_000_000L + random.nextInt(300);
    };
  }

  public static void write(MapStorage storage, String path, HFileOptions options, List<Cell> cells)
      throws IOException {
    try (HFileWriter writer = new HFileWriter(storage, path, options, Clock.SYSTEM)) {
      for (Cell cell : cells) {
        writer.append(cell);
      }
      writer.finish();
    }
  }

  public static HFileReader open(MapStorage storage, String path) throws IOException {
    return HFileReader.open(storage, path, storage.cache, CellComparator.USER);
  }

  public static List<String> readAll(HFileReader reader) throws IOException {
    List<String> found = new ArrayList<>();
    try (CellCursor cursor = reader.cursor(true)) {
      boolean more = cursor.seek(Cell.firstOnRow(Bytes.EMPTY));
      while (more) {
        found.add(describe(cursor.cell()));
        more = cursor.next();
      }
    }
    return found;
  }

  public static List<String> describe(List<Cell> cells) {
    return cells.stream().map(HFiles::describe).toList();
  }

  public static String describe(Cell cell) {
    return cell + Arrays.toString(cell.value()) + Arrays.toString(cell.tags());
  }
}
