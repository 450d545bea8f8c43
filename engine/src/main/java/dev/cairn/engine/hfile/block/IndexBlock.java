package dev.cairn.engine.hfile.block;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.hfile.format.VarLong;
import java.io.IOException;
import java.util.Arrays;

/**
 * A block of an index. For every block below it: its offset, its size in the file, and a key at or
 * before its first key and after all keys of the previous block.
 *
 * <pre>
 *   root:  count times: long offset | int size | {@link VarLong} keyLength | key
 *          [ long midOffset | int midSize | int midEntry: which entry of which leaf is the middle ]
 *   other: int count | count + 1 times: int where the entry begins, behind these numbers |
 *          count times: long offset | int size | key
 * </pre>
 */
public final class IndexBlock implements CachedBlock {
  private static final int REFERENCE_SIZE = 12;
  private static final int MID_KEY_SIZE = 16;

  private final byte[] bytes;
  private final int[] entries;
  private final int[] keys;
  private final int[] keyEnds;
  private final int end;
  private final RowPrefixIndex rows;

  private IndexBlock(
      byte[] bytes, int[] entries, int[] keys, int[] keyEnds, int end, RowPrefixIndex rows) {
    this.bytes = bytes;
    this.entries = entries;
    this.keys = keys;
    this.keyEnds = keyEnds;
    this.end = end;
    this.rows = rows;
  }

  /**
   * Reads the entries of a root.
   *
   * @throws IOException if they reach beyond the block
   */
  public static IndexBlock root(byte[] bytes, int from, int to, int count) throws IOException {
    if (count < 0 || count > (to - from) / (REFERENCE_SIZE + 1)) {
      throw new IOException(count + " index entries in " + (to - from) + " bytes");
    }
    int[] entries = new int[count];
    int[] keys = new int[count];
    int[] keyEnds = new int[count];
    int at = from;
    for (int i = 0; i < count; i++) {
      entries[i] = at;
      at += REFERENCE_SIZE;
      if (at >= to || to - at < VarLong.lengthOf(bytes[at])) {
        throw new IOException(count + " index entries in " + (to - from) + " bytes");
      }
      long length = VarLong.read(bytes, at);
      at += VarLong.lengthOf(bytes[at]);
      if (length < 0 || length > to - at) {
        throw new IOException("an index key of " + length + " bytes");
      }
      keys[i] = at;
      at += (int) length;
      keyEnds[i] = at;
    }
    return new IndexBlock(bytes, entries, keys, keyEnds, at, RowPrefixIndex.NONE);
  }

  /**
   * Reads the entries of a block below the root; the keys are cells' keys.
   *
   * @throws IOException if they reach beyond the block, or are no keys
   */
  public static IndexBlock below(byte[] bytes, int from, int to) throws IOException {
    int count = to - from < 4 ? 0 : Bytes.getInt(bytes, from);
    if (count <= 0 || count > (to - from - 8) / (REFERENCE_SIZE + 4)) {
      throw new IOException(count + " index entries in " + (to - from) + " bytes");
    }
    int base = from + 4 + 4 * (count + 1);
    int[] entries = new int[count];
    int[] keys = new int[count];
    int[] keyEnds = new int[count];
    for (int i = 0; i < count; i++) {
      int start = Bytes.getInt(bytes, from + 4 + 4 * i);
      int next = Bytes.getInt(bytes, from + 8 + 4 * i);
      if (start < 0 || next > to - base || next - start < REFERENCE_SIZE || next < start) {
        throw new IOException("an index entry from " + start + " to " + next);
      }
      entries[i] = base + start;
      keys[i] = entries[i] + REFERENCE_SIZE;
      keyEnds[i] = base + next;
    }
    IndexBlock block = new IndexBlock(bytes, entries, keys, keyEnds, to, RowPrefixIndex.NONE);
    block.checkKeys();
    return block;
  }

  /**
   * Returns the same block with a table of its keys' rows, which are in the order of their bytes.
   */
  public IndexBlock withRowPrefixes() {
    return keys.length == 0
        ? this
        : new IndexBlock(
            bytes, entries, keys, keyEnds, end, RowPrefixIndex.of(bytes, keys, 0, keys.length));
  }

  /** Checks that every entry's key is a cell's. */
  public void checkKeys() throws IOException {
    for (int i = 0; i < keys.length; i++) {
      checkKey(bytes, keys[i], keyEnds[i] - keys[i]);
    }
  }

  /** Checks that {@code length} bytes at {@code offset} are a cell's key. */
  public static void checkKey(byte[] bytes, int offset, int length) throws IOException {
    if (length < Cell.KEY_OVERHEAD) {
      throw new IOException("a key of " + length + " bytes");
    }
    int rowLength = Bytes.getUnsignedShort(bytes, offset);
    if (rowLength > length - Cell.KEY_OVERHEAD) {
      throw new IOException("a row of " + rowLength + " bytes in a key of " + length);
    }
    int familyLength = bytes[offset + 2 + rowLength] & 0xFF;
    if (familyLength > length - Cell.KEY_OVERHEAD - rowLength) {
      throw new IOException("a family of " + familyLength + " bytes in a key of " + length);
    }
  }

  /** Returns the number of entries. */
  public int count() {
    return entries.length;
  }

  /** Returns where the entries end in the array that they were read from. */
  public int end() {
    return end;
  }

  @Override
  public long weight() {
    return OVERHEAD + bytes.length + 12L * entries.length + rows.weight();
  }

  /** Returns the offset of block {@code i} in the file. */
  public long offset(int i) {
    return Bytes.getLong(bytes, entries[i]);
  }

  /** Returns the size of block {@code i} in the file, bytes. */
  public int size(int i) {
    return Bytes.getInt(bytes, entries[i] + 8);
  }

  /** Points {@code cell} at the key of entry {@code i}. */
  public void key(int i, Cell cell) {
    cell.setKey(bytes, keys[i], keyEnds[i] - keys[i]);
  }

  /**
   * Tells whether the block of entry {@code i}, and no earlier one, can hold {@code key} or the
   * keys after it.
   *
   * <p>A key of the type that sorts before everything is not a cell's but a short one between two
   * blocks. Of a cell's own key there can be several, with different sequence numbers, on both
   * sides of a block's border.
   */
  public boolean leads(int i, Cell key, CellComparator order, Cell probe) {
    key(i, probe);
    int compared = order.compareKeys(probe, key);
    return compared < 0 || compared == 0 && probe.typeCode() == 0xFF;
  }

  /** Returns the last entry that {@link #leads} to {@code key}, or -1. */
  public int floor(Cell key, CellComparator order, Cell probe) {
    int low = 0;
    int high = entries.length;
    if (!rows.isEmpty()) {
      long range = rows.range(key);
      low = (int) (range >>> 32);
      high = (int) range;
    }
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (leads(middle, key, order, probe)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  /** Returns the last entry whose key, a row, is not after {@code row}, or -1. */
  public int floorRow(byte[] row, int offset, int length, CellComparator order) {
    int low = 0;
    int high = entries.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      int keyLength = keyEnds[middle] - keys[middle];
      if (order.compareRows(bytes, keys[middle], keyLength, row, offset, length) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  /**
   * Returns the place of {@code name} among the keys, which are plain bytes; less than 0 if none.
   */
  public int indexOfName(byte[] name) {
    int low = 0;
    int high = entries.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int compared =
          Arrays.compareUnsigned(bytes, keys[middle], keyEnds[middle], name, 0, name.length);
      if (compared == 0) {
        return middle;
      }
      low = compared < 0 ? middle + 1 : low;
      high = compared < 0 ? high : middle - 1;
    }
    return -1;
  }

  /** Returns a copy of the key of entry {@code i}. */
  public byte[] name(int i) {
    return Arrays.copyOfRange(bytes, keys[i], keyEnds[i]);
  }

  /** The middle of the file, as a root index of several levels stores it. */
  public record MidKey(long leafOffset, int leafSize, int entry) {
    /** The encoded size, bytes. */
    public static final int SIZE = MID_KEY_SIZE;

    /** Reads the mid key that begins at {@code at}. */
    public static MidKey read(byte[] bytes, int at) {
      return new MidKey(
          Bytes.getLong(bytes, at), Bytes.getInt(bytes, at + 8), Bytes.getInt(bytes, at + 12));
    }
  }
}
