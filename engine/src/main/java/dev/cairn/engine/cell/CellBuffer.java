package dev.cairn.engine.cell;

import dev.cairn.engine.probe.Loans;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Holds a growing sequence of cells, such as those of a mutation, a log entry or a result, without
 * an object per cell. Cells keep their tags. {@link #get} sets their sequence number. Not
 * thread-safe, but several threads may read while none writes.
 *
 * <p>The cells lie in arrays, the <em>pieces</em>, of up to {@value #PIECE_BYTES_MAX} bytes. A
 * longer array would be copied as it grows, and needs contiguous room in the heap. A cell never
 * spans pieces. A cell that is longer than the limit has a piece of its own.
 *
 * <p>A piece is a sequence of cells from index 0 without gaps; a 4-byte length precedes each cell.
 * All pieces together, in order, are the <em>block</em> of the cells: the format of HBase's {@code
 * KeyValueCodec} for cells beside messages and in logs. A block has less than 2 GB.
 */
public final class CellBuffer {
  /** The bytes that each cell takes in addition to its own. */
  private static final int PREFIX = Integer.BYTES;

  /** With its header, such an array fills whole regions of G1. */
  private static final int PIECE_BYTES_MAX = (4 << 20) - 16;

  /** The array of the cells' ends doubles up to this length; then it grows by a quarter. */
  private static final int DOUBLING_ENDS_MAX = 1 << 19;

  /** Approves or refuses the growth of a buffer. */
  @FunctionalInterface
  public interface Growth {
    /**
     * Returns to let the buffer grow, or throws an unchecked exception to refuse. A refusal leaves
     * the cells unchanged; the appending method passes the exception on.
     *
     * @param capacity the {@link CellBuffer#capacity} after the growth, bytes. During the growth
     *     the buffer needs up to twice as much, because it copies an array
     */
    void growing(long capacity);
  }

  private final int pieceBytesMax;
  private Growth growth; // null if growth is unlimited

  /** The last piece, which grows. */
  private byte[] bytes;

  /**
   * The index of the last piece's first cell; the next field is the number of bytes in the pieces
   * before.
   */
  private int first;

  private int before;
  private CellPieces earlier; // the pieces before; null if there are none
  private int[] ends; // of each cell in the block
  private int size;

  /** True if a cell with tags was added. */
  private boolean tagged;

  /** Creates an empty buffer. */
  public CellBuffer() {
    this(256, 8);
  }

  /** Creates an empty buffer with room for {@code cells} cells of {@code bytes} bytes in all. */
  public CellBuffer(int bytes, int cells) {
    this(bytes, cells, PIECE_BYTES_MAX);
  }

  /** Creates an empty buffer with another limit for the length of a piece, for tests. */
  CellBuffer(int bytes, int cells, int pieceBytesMax) {
    int room = Math.addExact(bytes, Math.multiplyExact(PREFIX, cells));
    this.pieceBytesMax = pieceBytesMax;
    this.bytes = new byte[cells == 1 ? room : Math.min(room, pieceBytesMax)];
    this.ends = new int[cells];
  }

  private CellBuffer(byte[] bytes, int[] ends, int size, boolean tagged) {
    this.pieceBytesMax = PIECE_BYTES_MAX;
    this.bytes = bytes;
    this.ends = ends;
    this.size = size;
    this.tagged = tagged;
  }

  /**
   * Returns the cells of a block that came from a network or a file, all checked.
   *
   * @param block the cells, each after its length; the buffer owns the array from now on, as one
   *     piece
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
   * Returns a buffer of exactly the needed size with copies of the cells {@code from} to {@code to}
   * (exclusive) of {@code other}.
   */
  public static CellBuffer copyOf(CellBuffer other, int from, int to) {
    CellBuffer copy = new CellBuffer(other.byteSize(to) - other.byteSize(from), to - from);
    copy.addAll(other, from, to);
    return copy;
  }

  /** Returns the number of cells. */
  public int size() {
    return size;
  }

  /** Tells whether there are no cells. */
  public boolean isEmpty() {
    return size == 0;
  }

  /** Tells whether a cell may have tags after its value; if not, none has. */
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

  /** Returns the number of pieces, at least 1. */
  public int pieces() {
    return earlier == null ? 1 : earlier.count() + 1;
  }

  /**
   * Returns the array of piece {@code piece}. It has cells, each after its length, from index 0 to
   * {@link #pieceSize}. The last piece gets another array when the buffer grows.
   */
  public byte[] piece(int piece) {
    return piece == pieces() - 1 ? bytes : earlier.array(piece);
  }

  /** Returns the number of bytes that the cells in piece {@code piece} take with their lengths. */
  public int pieceSize(int piece) {
    return piece == pieces() - 1
        ? blockSize() - before
        : earlier.begin(piece + 1) - earlier.begin(piece);
  }

  /** Returns the array that has cell {@code i}, until the buffer grows. */
  public byte[] bytes(int i) {
    return i >= first ? bytes : earlier.array(earlier.pieceOf(i));
  }

  /** Returns the offset of cell {@code i} in {@link #bytes(int)}. */
  public int offset(int i) {
    return start(i) - begin(i) + PREFIX;
  }

  /** Returns the length in bytes of cell {@code i}, tags included. */
  public int length(int i) {
    return ends[i] - start(i) - PREFIX;
  }

  /** Returns the offset of the length of cell {@code i} in the block. */
  private int start(int i) {
    return i == 0 ? 0 : ends[i - 1];
  }

  /** Returns the offset of the piece of cell {@code i} in the block. */
  private int begin(int i) {
    return i >= first ? before : earlier.begin(earlier.pieceOf(i));
  }

  /** Returns the index of the first cell after the piece of cell {@code i}. */
  private int endOfPiece(int i) {
    return i >= first ? size : earlier.firstCell(earlier.pieceOf(i) + 1);
  }

  /** Points {@code view} at cell {@code i} and gives it {@code sequence}. */
  public Cell get(int i, Cell view, long sequence) {
    int at = start(i) + PREFIX;
    view.set(bytes(i), at - begin(i), ends[i] - at, sequence);
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

  /** Appends a cell in KeyValue layout at {@code offset}; the caller has checked it. */
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
   * Appends cells without tags in KeyValue layout. Cell {@code i} begins at {@code offsets[i]}, for
   * {@code i} from {@code from} to {@code to} (exclusive); {@code offsets[to]} is the end of the
   * last cell. The caller has checked the cells.
   */
  public void addAll(byte[] source, int[] offsets, int from, int to) {
    int sizeBefore = size;
    try {
      for (int next = from; next < to; ) {
        next = addSome(source, offsets, next, to);
      }
    } catch (RuntimeException | Error e) {
      truncate(sizeBefore);
      throw e;
    }
  }

  /**
   * Appends as many cells as fit into the last piece, at least one. Returns the index of the next
   * cell.
   */
  private int addSome(byte[] source, int[] offsets, int from, int to) {
    makeRoomForEnds(Math.addExact(size, to - from));
    long mark = offsets[from] + (long) PREFIX * from;
    int end = CellPieces.fitting(offsets, PREFIX, from, to, mark + roomInPiece());
    end = Math.max(end, from + 1);
    makeRoom(Math.toIntExact(offsets[end] + (long) PREFIX * end - mark));
    byte[] target = bytes;
    int at = blockSize() - before;
    for (int i = from; i < end; i++) {
      int offset = offsets[i];
      long lengths = Bytes.getLong(source, offset);
      int length = Cell.LENGTHS_SIZE + (int) (lengths >>> Integer.SIZE) + (int) lengths;
      Bytes.putInt(target, at, length);
      System.arraycopy(source, offset, target, at + PREFIX, length);
      at += PREFIX + length;
      ends[size++] = before + at;
    }
    return end;
  }

  /** Returns how many more bytes fit into the last piece. */
  private int roomInPiece() {
    return Math.max(bytes.length, pieceBytesMax) - (blockSize() - before);
  }

  /**
   * Appends a cell from its parts.
   *
   * @throws IllegalArgumentException if a part is longer than the layout allows; the buffer is then
   *     unchanged
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
    CellFormat.write(bytes, at, row, family, qualifier, timestamp, typeCode, value, tags);
    tagged |= tags.length > 0;
  }

  /**
   * Appends a cell from its parts.
   *
   * @throws IllegalArgumentException if a part is longer than the layout allows; the buffer is then
   *     unchanged
   */
  public void add(CellParts parts) {
    int at = reserve(parts.length());
    CellFormat.write(bytes, at, parts);
    tagged |= parts.tagsLength > 0;
  }

  /** Appends copies of all cells of {@code other}. */
  public void addAll(CellBuffer other) {
    addAll(other, 0, other.size);
  }

  /** Appends copies of the cells {@code from} to {@code to} (exclusive) of {@code other}. */
  public void addAll(CellBuffer other, int from, int to) {
    int sizeBefore = size;
    try {
      for (int next = from; next < to; ) {
        next = addSome(other, next, to);
      }
    } catch (RuntimeException | Error e) {
      truncate(sizeBefore);
      throw e;
    }
    tagged |= other.tagged;
  }

  /**
   * Appends as many cells of a piece as fit into the last piece. Returns the index of the next
   * cell.
   */
  private int addSome(CellBuffer other, int from, int to) {
    makeRoomForEnds(Math.addExact(size, to - from));
    int start = other.start(from);
    int sourceAt = start - other.begin(from);
    byte[] source = other.bytes(from);
    int pieceEnd = Math.min(to, other.endOfPiece(from));
    long limit = (long) start + roomInPiece();
    int end = CellPieces.fitting(other.ends, 0, from - 1, pieceEnd - 1, limit) + 1;
    end = Math.max(end, from + 1);
    int length = other.ends[end - 1] - start;
    makeRoom(length);
    System.arraycopy(source, sourceAt, bytes, blockSize() - before, length);
    int shift = blockSize() - start;
    for (int i = from; i < end; i++) {
      ends[size++] = other.ends[i] + shift;
    }
    return end;
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

  /**
   * Makes room for {@code cells} more cells of {@code bytes} bytes in one step, but for no more
   * bytes than fit into the last piece.
   */
  public void expect(int bytes, int cells) {
    int more = Math.addExact(bytes, Math.multiplyExact(PREFIX, cells));
    makeRoom(Math.min(more, roomInPiece()));
    makeRoomForEnds(Math.addExact(size, cells));
  }

  /** Calls {@code growth} before each later growth of the buffer; null for none. */
  public void watch(Growth growth) {
    this.growth = growth;
  }

  /** Returns the number of bytes of memory that the buffer takes, full or not. */
  public long capacity() {
    return capacityOfEarlier() + bytes.length + (long) Integer.BYTES * ends.length;
  }

  /** Tells whether one of the cells is a delete marker. */
  public boolean hasMarkers() {
    boolean any = false;
    for (int i = 0; i < size && !any; i++) {
      byte[] piece = bytes(i);
      any = CellType.isDelete(piece[timestampAt(piece, i) + Long.BYTES] & 0xFF);
    }
    return any;
  }

  /** Returns the offset of cell {@code i}'s timestamp in its piece; the type follows. */
  private int timestampAt(byte[] piece, int i) {
    int offset = offset(i);
    return offset + Cell.LENGTHS_SIZE + Bytes.getInt(piece, offset) - 1 - Long.BYTES;
  }

  /** Overwrites the timestamp of cell {@code i}. */
  public void setTimestamp(int i, long timestamp) {
    byte[] piece = bytes(i);
    Bytes.putLong(piece, timestampAt(piece, i), timestamp);
  }

  /** Gives cell {@code i} a timestamp in place of {@link Cell#LATEST_TIMESTAMP}, if it has that. */
  public void stamp(int i, long timestamp) {
    byte[] piece = bytes(i);
    int at = timestampAt(piece, i);
    if (Bytes.getLong(piece, at) == Cell.LATEST_TIMESTAMP) {
      Bytes.putLong(piece, at, timestamp);
    }
  }

  /** Removes the cells at index {@code newSize} and above, and pieces without remaining cells. */
  public void truncate(int newSize) {
    byte[] last = bytes;
    int used = blockSize() - before;
    size = Math.min(size, newSize);
    while (earlier != null && size <= first) {
      bytes = earlier.removeLast();
      first = earlier.firstCell(earlier.count());
      before = earlier.begin(earlier.count());
      earlier = earlier.count() == 0 ? null : earlier;
    }
    assert endLoans(last, used);
  }

  /** Overwrites the cells that were removed; {@code last} was the last piece before the removal. */
  private boolean endLoans(byte[] last, int used) {
    int kept = blockSize() - before;
    return last == bytes
        ? Loans.spoil(bytes, kept, used)
        : Loans.spoil(last, 0, used) && Loans.spoil(bytes, kept, bytes.length);
  }

  /** Removes all cells and keeps the memory of the first piece. */
  public void clear() {
    truncate(0);
    tagged = false;
  }

  /** Appends a cell's length; returns the offset in the last piece at which to write the cell. */
  private int reserve(int length) {
    int needed = Math.addExact(length, PREFIX);
    makeRoom(needed);
    makeRoomForEnds(size + 1);
    int start = blockSize();
    Bytes.putInt(bytes, start - before, length);
    ends[size++] = start + needed;
    return start - before + PREFIX;
  }

  /** Makes room for so many contiguous bytes in the last piece, or begins another piece. */
  private void makeRoom(int more) {
    int blockSize = blockSize();
    int used = blockSize - before;
    int end = Math.addExact(blockSize, more) - before;
    if (end <= bytes.length) {
      return;
    }
    if (used == 0 || end <= pieceBytesMax) {
      int length = (int) Math.max(end, Math.min(pieceBytesMax, 2L * bytes.length));
      askToGrow(length, ends.length);
      bytes = used == 0 ? new byte[length] : Arrays.copyOf(bytes, length);
      return;
    }
    int length = Math.max(more, pieceBytesMax);
    askToGrow((long) bytes.length + length, ends.length);
    byte[] next = new byte[length];
    if (earlier == null) {
      earlier = new CellPieces();
    }
    earlier.add(bytes, size, blockSize);
    bytes = next;
    first = size;
    before = blockSize;
  }

  private void makeRoomForEnds(int cells) {
    if (cells > ends.length) {
      int more = ends.length <= DOUBLING_ENDS_MAX ? ends.length : ends.length / 4;
      int length = Math.max(Math.max(8, cells), ends.length + more);
      askToGrow(bytes.length, length);
      ends = Arrays.copyOf(ends, length);
    }
  }

  private long capacityOfEarlier() {
    return earlier == null ? 0 : earlier.capacity();
  }

  private void askToGrow(long bytesLength, int endsLength) {
    if (growth != null) {
      growth.growing(capacityOfEarlier() + bytesLength + (long) Integer.BYTES * endsLength);
    }
  }
}
