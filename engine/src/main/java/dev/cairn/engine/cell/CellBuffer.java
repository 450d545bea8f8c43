package dev.cairn.engine.cell;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A growing sequence of cells in one array: the cells of a mutation, of a log entry, of a result.
 * It holds no object per cell. Cells keep their tags; all have the sequence number that {@link
 * #get} is asked to give them. Not thread-safe.
 */
public final class CellBuffer {
  private byte[] bytes;
  private int[] ends;
  private int size;

  /** Creates an empty buffer. */
  public CellBuffer() {
    this(256, 8);
  }

  /** Creates an empty buffer with room for {@code cells} cells of {@code bytes} bytes in all. */
  public CellBuffer(int bytes, int cells) {
    this.bytes = new byte[bytes];
    this.ends = new int[cells];
  }

  /** Returns the number of cells. */
  public int size() {
    return size;
  }

  /** Tells whether there are no cells. */
  public boolean isEmpty() {
    return size == 0;
  }

  /** Returns the number of bytes that all cells take together. */
  public int byteSize() {
    return size == 0 ? 0 : ends[size - 1];
  }

  /**
   * Returns the array that holds the cells, one behind the other, from index 0. It changes when the
   * buffer grows.
   */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns where cell {@code i} begins in {@link #bytes()}. */
  public int offset(int i) {
    return i == 0 ? 0 : ends[i - 1];
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
  }

  /** Appends a cell that lies in KeyValue layout at {@code offset}; the caller has checked it. */
  public void add(byte[] source, int offset, int length) {
    int at = reserve(length);
    System.arraycopy(source, offset, bytes, at, length);
  }

  /**
   * Makes room for one more cell of {@code length} bytes, which the caller writes to {@link
   * #bytes()} from the offset returned, and checks, before anything else happens to the buffer.
   */
  public int extend(int length) {
    return reserve(length);
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
    } catch (IllegalArgumentException e) {
      size--;
      throw e;
    }
  }

  /** Appends copies of all cells of {@code other}. */
  public void addAll(CellBuffer other) {
    for (int i = 0; i < other.size; i++) {
      add(other.bytes, other.offset(i), other.length(i));
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

  /** Removes the cells from index {@code newSize} on. */
  public void truncate(int newSize) {
    size = Math.min(size, newSize);
  }

  /** Removes all cells and keeps the memory. */
  public void clear() {
    size = 0;
  }

  private int reserve(int length) {
    int at = byteSize();
    int needed = Math.addExact(at, length);
    if (needed > bytes.length) {
      bytes =
          Arrays.copyOf(
              bytes, (int) Math.max(needed, Math.min(Integer.MAX_VALUE - 8L, bytes.length * 2L)));
    }
    if (size == ends.length) {
      ends = Arrays.copyOf(ends, Math.max(8, size * 2));
    }
    ends[size++] = needed;
    return at;
  }
}
