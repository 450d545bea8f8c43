package dev.cairn.interop.hfile;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.hfile.codec.Compression;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/** Random cells of one family, no two with the same key, and random keys to seek. */
final class RandomCells {
  private static final byte[] FAMILY = {'f'};
  private static final int MANY_VALUES = 50;

  private final Random random;
  private final Shape shape;
  private final int rowChars;

  RandomCells(Random random, Shape shape) {
    this.random = random;
    this.shape = shape;
    this.rowChars = 1 + random.nextInt(4);
  }

  /** Returns cells in order. */
  List<Cell> some() {
    TreeSet<Cell> cells = new TreeSet<>(CellComparator.USER::compareKeys);
    // A bzip2 stream takes megabytes of memory, however little it compresses.
    int most = shape.compression() == Compression.BZIP2 && shape.blockSize() < 1000 ? 20 : 160;
    int count = random.nextInt(10) == 0 ? random.nextInt(3) : most / 4 + random.nextInt(most);
    while (cells.size() < count) {
      byte[] row = row();
      int columns = random.nextInt(8) == 0 ? 20 : 1 + random.nextInt(3);
      for (int i = 0; i < columns; i++) {
        cells.add(cell(row));
      }
    }
    return List.copyOf(cells);
  }

  /** Returns a key at, near or far from the cells. */
  Cell key(List<Cell> cells) {
    if (cells.isEmpty() || random.nextInt(4) == 0) {
      return Cell.firstOnRow(row());
    }
    Cell cell = cells.get(random.nextInt(cells.size()));
    return switch (random.nextInt(5)) {
      case 0 -> Cell.firstOnRow(cell.row());
      case 1 -> Cell.firstOnColumn(cell.row(), FAMILY, cell.qualifier());
      case 2 -> Cell.firstOnColumn(cell.row(), FAMILY, qualifier());
      case 3 ->
          Cell.of(
              cell.row(),
              FAMILY,
              cell.qualifier(),
              Math.max(0, cell.timestamp() - random.nextInt(3)),
              CellType.PUT.code(),
              new byte[0],
              new byte[0],
              0);
      default -> cell;
    };
  }

  private Cell cell(byte[] row) {
    CellType type =
        switch (random.nextInt(16)) {
          case 0 -> CellType.DELETE;
          case 1 -> CellType.DELETE_COLUMN;
          case 2 -> CellType.DELETE_FAMILY;
          case 3 -> CellType.DELETE_FAMILY_VERSION;
          default -> CellType.PUT;
        };
    boolean family = type == CellType.DELETE_FAMILY || type == CellType.DELETE_FAMILY_VERSION;
    return Cell.of(
        row,
        FAMILY,
        family ? new byte[0] : qualifier(),
        timestamp(),
        type.code(),
        type == CellType.PUT ? value() : new byte[0],
        shape.tags() && random.nextBoolean() ? tags() : new byte[0],
        shape.sequences() ? sequence() : 0);
  }

  private byte[] row() {
    byte[] row = new byte[1 + random.nextInt(6)];
    for (int i = 0; i < row.length; i++) {
      row[i] = (byte) (random.nextInt(30) == 0 ? random.nextInt() : 'a' + random.nextInt(rowChars));
    }
    return random.nextInt(100) == 0 ? Arrays.copyOf(row, 300) : row;
  }

  private byte[] qualifier() {
    return random.nextInt(12) == 0
        ? new byte[random.nextInt(40)]
        : ("q" + random.nextInt(12)).getBytes(StandardCharsets.UTF_8);
  }

  private long timestamp() {
    return switch (random.nextInt(10)) {
      case 0 -> random.nextInt(3);
      case 1 -> random.nextLong(Long.MAX_VALUE);
      case 2 -> Long.MAX_VALUE - 1 - random.nextInt(3);
      default -> 1_700_000_000_000L + random.nextInt(2000);
    };
  }

  private long sequence() {
    return random.nextInt(6) == 0 ? random.nextLong(Long.MAX_VALUE) : random.nextInt(300);
  }

  private byte[] value() {
    byte[] value =
        new byte[random.nextInt(40) == 0 ? random.nextInt(3000) : random.nextInt(MANY_VALUES)];
    if (random.nextBoolean()) {
      Arrays.fill(value, (byte) ('v' + random.nextInt(2)));
    } else {
      random.nextBytes(value);
    }
    return value;
  }

  private byte[] tags() {
    byte[] tags = new byte[0];
    for (int i = random.nextInt(3); i >= 0; i--) {
      int length = random.nextInt(10);
      byte[] more = new byte[3 + length];
      more[1] = (byte) (1 + length);
      more[2] = (byte) (64 + random.nextInt(3));
      Arrays.fill(more, 3, more.length, (byte) 't');
      int at = tags.length;
      tags = Arrays.copyOf(tags, at + more.length);
      System.arraycopy(more, 0, tags, at, more.length);
    }
    return tags;
  }
}
