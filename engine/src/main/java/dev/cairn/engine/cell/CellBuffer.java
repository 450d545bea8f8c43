package dev.cairn.engine.cell;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A growing sequence of cells in one array: the cells of a mutation, of a log entry, of a result.
 * It holds no object per cell. Cells keep their tags; all have the sequence number that {@link
 * #get} is asked to give them. Not thread-safe.
 *
 * <p>In the array each cell lies behind its length, a 4-byte number, from index 0 without a gap:
 * the form in which HBase's {@code KeyValueCodec} has cells beside messages and in logs. So a whole
 * block of them is read and written as one piece.
 */
public final class CellBuffer {
  /** What each cell takes beside its own bytes. */
  private static final int PREFIX = Integer.BYTES;

  /**
   * Arrays double in size up to this length. Longer arrays grow by half, so that less of them stays
   * unused.
   */
  private static final int DOUBLING_BYTES_MAX = 8 << 20;

  /** Approves or refuses the growth of a buffer. */
  @FunctionalInterface
  public interface Growth {
    /**
     * Returns to let the buffer grow, or throws an unchecked exception to refuse. A refusal leaves
     * the buffer unchanged; the appending method passes the exception on.
     *
     * @param capacity the {@link CellBuffer#capacity} after the growth, bytes. During the growth
     *     the buffer takes up to twice as much
     */
    void growing(long capacity);
  }

  private Growth growth; // null if growth is unlimited
  private byte[] bytes;
  private int[] ends; // of each cell in bytes
  private int size;

  /** Whether a cell was added that has bytes behind its value. */
  private boolean tagged;

  /** Creates an empty buffer. */
  public CellBuffer() {
    this(256, 8);
  }

  /** Creates an empty buffer with room for {@code cells} cells of {@code bytes} bytes in all. */
  public CellBuffer(int bytes, int cells) {
    this.bytes = new byte[Math.addExact(bytes, Math.multiplyExact(PREFIX, cells))];
    this.ends = new int[cells];
  }

  private CellBuffer(byte[] bytes, int[] ends, int size, boolean tagged) {
    this.bytes = bytes;
    this.ends = ends;
    this.size = size;
    this.tagged = tagged;
  }

  /**
   * Returns the cells of a block that came from a network or a file, all checked.
   *
   * @param block the cells, each behind its length; the buffer's own from now on
   * @throws IllegalArgumentException if they are not whole, well-formed cells
   */
  public static CellBuffer ofBlock(byte[] block) {
    int[] ends = new int[Math.max(8, block.length >> 7)];
    int size = 0;
    boolean tagged = false;
    for (int at = 0; at < block.length; size++) {
      int left = block.length - at;
      int length = left < PREFIX ? -1 : Bytes.getInt(block, at);
      if (length < 0 || length > left - PREFIX) {
        throw new IllegalArgumentException(
            "Cell " + size + " of the cell block does not fit the " + left + " bytes left");
      }
      CellFormat.check(block, at + PREFIX, length);
      tagged |= hasTags(block, at + PREFIX, length);
      at += PREFIX + length;
      if (size == ends.length) {
        ends = Arrays.copyOf(ends, size * 2);
      }
      ends[size] = at;
    }
    return new CellBuffer(block, ends, size, tagged);
  }

  /**
   * Returns a buffer of just the size with copies of the cells {@code from} to {@code to}
   * (exclusive) of {@code other}.
   */
  public static CellBuffer copyOf(CellBuffer other, int from, int to) {
    if (from == to) {
      return new CellBuffer();
    }
    int start = other.offset(from) - PREFIX;
    int end = other.ends[to - 1];
    int[] ends = Arrays.copyOfRange(other.ends, from, to);
    for (int i = 0; start > 0 && i < ends.length; i++) {
      ends[i] -= start;
    }
    byte[] bytes = Arrays.copyOfRange(other.bytes, start, end);
    return new CellBuffer(bytes, ends, ends.length, other.tagged);
  }

  /** Returns the number of cells. */
  public int size() {
    return size;
  }

  /** Tells whether there are no cells. */
  public boolean isEmpty() {
    return size == 0;
  }

  /** Tells whether some cell may have bytes behind its value, where tags lie; if not, none has. */
  public boolean mayHaveTags() {
    return tagged;
  }

  /** Returns the number of bytes that all cells take together, without their lengths. */
  public int byteSize() {
    return byteSize(size);
  }

  /** As {@link #byteSize()}, of the first {@code cells} cells. */
  public int byteSize(int cells) {
    return cells == 0 ? 0 : ends[cells - 1] - PREFIX * cells;
  }

  /** Returns the number of bytes that all cells take with the lengths before them. */
  public int blockSize() {
    return size == 0 ? 0 : ends[size - 1];
  }

  /**
   * Returns the array that holds the cells, each behind its length, from index 0 up to {@link
   * #blockSize()}. It changes when the buffer grows.
   */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns where cell {@code i} begins in {@link #bytes()}. */
  public int offset(int i) {
    return i == 0 ? PREFIX : ends[i - 1] + PREFIX;
  }

  /** Returns the length in bytes of cell {@code i}, tags included. */
  public int length(int i) {
    return ends[i] - offset(i);
  }

  /** Points {@code view} at cell {@code i} and gives it {@code sequence}. */
  public Cell get(int i, Cell view, long sequence) {
    int offset = offset(i);
    view.set(bytes, offset, ends[i] - offset, sequence);
    return view;
  }

  /**
   * Returns a view of its own of cell {@code i}, with sequence number 0; valid until the buffer
   * grows.
   */
  public Cell get(int i) {
    return get(i, new Cell(), 0);
  }

  /** Appends a copy of {@code cell}, tags included. */
  public void add(Cell cell) {
    int offset = reserve(cell.serializedLength(true));
    cell.writeTo(bytes, offset, true);
    tagged |= cell.tagsLength() > 0;
  }

  /** Appends a cell that lies in KeyValue layout at {@code offset}; the caller has checked it. */
  public void add(byte[] source, int offset, int length) {
    int at = reserve(length);
    System.arraycopy(source, offset, bytes, at, length);
    tagged |= hasTags(source, offset, length);
  }

  private static boolean hasTags(byte[] bytes, int offset, int length) {
    return length - Cell.LENGTHS_SIZE
        > Bytes.getInt(bytes, offset) + Bytes.getInt(bytes, offset + Integer.BYTES);
  }

  /**
   * Appends cells without tags that lie in KeyValue layout where {@code offsets} says, from index
   * {@code from} to {@code to} (exclusive, and the offset there is behind the last of them); the
   * caller has checked them.
   */
  public void addAll(byte[] source, int[] offsets, int from, int to) {
    int count = to - from;
    int at = blockSize();
    makeRoom(
        Math.addExact(at, offsets[to] - offsets[from] + PREFIX * count),
        Math.addExact(size, count));
    byte[] target = bytes;
    for (int i = from; i < to; i++) {
      int offset = offsets[i];
      long lengths = Bytes.getLong(source, offset);
      int length = Cell.LENGTHS_SIZE + (int) (lengths >>> Integer.SIZE) + (int) lengths;
      Bytes.putInt(target, at, length);
      System.arraycopy(source, offset, target, at + PREFIX, length);
      at += PREFIX + length;
      ends[size++] = at;
    }
  }

  /**
   * Appends a cell made of its parts.
   *
   * @throws IllegalArgumentException if a part is longer than the layout allows; the buffer is then
   *     as before
   */
  public void add(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      long timestamp,
      int typeCode,
      byte[] value,
      byte[] tags) {
    int at =
        reserve(
            CellFormat.length(
                row.length, family.length, qualifier.length, value.length, tags.length));
    try {
      CellFormat.write(bytes, at, row, family, qualifier, timestamp, typeCode, value, tags);
      tagged |= tags.length > 0;
    } catch (IllegalArgumentException e) {
      size--;
      throw e;
    }
  }

  /**
   * Appends a cell made of its parts, without tags.
   *
   * @throws IllegalArgumentException if a part is longer than the layout allows; the buffer is then
   *     as before
   */
  public void add(CellParts parts) {
    int at = reserve(parts.length());
    try {
      CellFormat.write(bytes, at, parts);
    } catch (IllegalArgumentException e) {
      size--;
      throw e;
    }
  }

  /** Appends copies of all cells of {@code other}. */
  public void addAll(CellBuffer other) {
    int at = blockSize();
    int count = other.size;
    makeRoom(Math.addExact(at, other.blockSize()), Math.addExact(size, count));
    System.arraycopy(other.bytes, 0, bytes, at, other.blockSize());
    tagged |= other.tagged;
    for (int i = 0; i < count; i++) {
      ends[size++] = at + other.ends[i];
    }
  }

  /** Returns the cells in order: this buffer if they are, else a new one. Equal ones stay put. */
  public CellBuffer sorted(CellComparator order) {
    Cell one = new Cell();
    Cell other = new Cell();
    int inOrder = 1;
    while (inOrder < size && order.compare(get(inOrder - 1, one, 0), get(inOrder, other, 0)) <= 0) {
      inOrder++;
    }
    if (inOrder >= size) {
      return this;
    }
    List<Cell> cells = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      cells.add(get(i));
    }
    cells.sort(order);
    CellBuffer sorted = new CellBuffer(byteSize(), size);
    cells.forEach(sorted::add);
    return sorted;
  }

  /** Makes room for {@code cells} more cells that take {@code bytes} bytes, in one step. */
  public void expect(int bytes, int cells) {
    int more = Math.addExact(bytes, Math.multiplyExact(PREFIX, cells));
    makeRoom(Math.addExact(blockSize(), more), Math.addExact(size, cells));
  }

  /** Calls {@code growth} before each later growth of the buffer; null for none. */
  public void watch(Growth growth) {
    this.growth = growth;
  }

  /** Returns the number of bytes of memory that the buffer takes, full or not. */
  public long capacity() {
    return bytes.length + (long) Integer.BYTES * ends.length;
  }

  /** Tells whether one of the cells is a delete marker. */
  public boolean hasMarkers() {
    for (int i = 0; i < size; i++) {
      int offset = offset(i);
      int type = bytes[offset + Cell.LENGTHS_SIZE + Bytes.getInt(bytes, offset) - 1] & 0xFF;
      if (CellType.isDelete(type)) {
        return true;
      }
    }
    return false;
  }

  /** Overwrites the timestamp of cell {@code i}. */
  public void setTimestamp(int i, long timestamp) {
    int offset = offset(i);
    int keyLength = Bytes.getInt(bytes, offset);
    Bytes.putLong(bytes, offset + Cell.LENGTHS_SIZE + keyLength - 9, timestamp);
  }

  /** Gives cell {@code i} a timestamp in place of {@link Cell#LATEST_TIMESTAMP}, if it has that. */
  public void stamp(int i, long timestamp) {
    int offset = offset(i);
    int at = offset + Cell.LENGTHS_SIZE + Bytes.getInt(bytes, offset) - 9;
    if (Bytes.getLong(bytes, at) == Cell.LATEST_TIMESTAMP) {
      Bytes.putLong(bytes, at, timestamp);
    }
  }

  /** Removes the cells from index {@code newSize} on. */
  public void truncate(int newSize) {
    size = Math.min(size, newSize);
  }

  /** Removes all cells and keeps the memory. */
  public void clear() {
    size = 0;
    tagged = false;
  }

  private int reserve(int length) {
    int at = Math.addExact(blockSize(), PREFIX);
    int end = Math.addExact(at, length);
    makeRoom(end, size + 1);
    Bytes.putInt(bytes, at - PREFIX, length);
    ends[size++] = end;
    return at;
  }

  private void makeRoom(int blockSize, int cells) {
    if (blockSize > bytes.length) {
      long more = bytes.length <= DOUBLING_BYTES_MAX ? bytes.length : bytes.length / 2;
      long larger = Math.min(Integer.MAX_VALUE - 8L, bytes.length + more);
      int length = (int) Math.max(blockSize, larger);
      askToGrow(length, ends.length);
      bytes = Arrays.copyOf(bytes, length);
    }
    if (cells > ends.length) {
      int length = Math.max(Math.max(8, cells), ends.length * 2);
      askToGrow(bytes.length, length);
      ends = Arrays.copyOf(ends, length);
    }
  }

  private void askToGrow(int bytesLength, int endsLength) {
    if (growth != null) {
      growth.growing(bytesLength + (long) Integer.BYTES * endsLength);
    }
  }
}
