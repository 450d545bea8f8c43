package dev.cairn.engine.hfile.block;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellRun;
import dev.cairn.engine.cursor.PlainCells;
import dev.cairn.engine.hfile.format.VarLong;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.probe.ReadMark;
import java.io.IOException;
import java.util.Arrays;

/**
 * The cells of one data block, one after another in KeyValue layout, and the offset of each, for
 * binary searches.
 *
 * <p>After a cell's value follow, if the file has them, {@code ushort tagsLength | tags} and the
 * sequence number as a {@link VarLong}.
 */
public final class DataBlock implements CachedBlock {
  /** The number of steps that a forward search takes before it uses the table of rows. */
  private static final int MAX_STEP = 8;

  /** The beginning of a key. */
  private static final int ROW_LENGTH_SIZE = 2;

  /** The most cells to look at one by one when searching the end of a row or column. */
  private static final int NEAR = 32;

  /** The end of a key: timestamp and type. */
  private static final int VERSION_SIZE = 9;

  private static final BlockSlabs.Slice NO_SLICE = BlockSlabs.Slice.NONE;

  private final byte[] bytes;
  private final int[] offsets;
  private final int count;
  private final boolean tags;
  private final boolean sequences;
  private final int storedSize;
  private final RowPrefixIndex rows;
  private final BlockStats bounds;
  private final BlockSlabs.Slice slice;

  /**
   * Creates a block of cells that are known to be whole.
   *
   * @param offsets offset of each cell; the array may be longer
   */
  public DataBlock(byte[] bytes, int[] offsets, int count, boolean tags, boolean sequences) {
    this(
        bytes,
        offsets,
        count,
        tags,
        sequences,
        0,
        RowPrefixIndex.NONE,
        BlockStats.UNKNOWN,
        NO_SLICE);
  }

  private DataBlock(
      byte[] bytes,
      int[] offsets,
      int count,
      boolean tags,
      boolean sequences,
      int storedSize,
      RowPrefixIndex rows,
      BlockStats bounds,
      BlockSlabs.Slice slice) {
    this.storedSize = storedSize;
    this.rows = rows;
    this.bounds = bounds;
    this.slice = slice;
    this.bytes = bytes;
    this.offsets = offsets;
    this.count = count;
    this.tags = tags;
    this.sequences = sequences;
  }

  /**
   * Checks every length of every cell between {@code from} and {@code to} and notes where they
   * begin.
   *
   * @throws IOException naming the damage
   */
  public static DataBlock index(
      byte[] bytes, int from, int to, boolean tags, boolean sequences, BlockMemory memory)
      throws IOException {
    if (from == to) {
      throw new IOException("no cell");
    }
    int[] offsets = memory.offsets(Math.max(16, (to - from) / 64));
    int count = 0;
    int at = from;
    while (at < to) {
      if (count == offsets.length) {
        offsets = Arrays.copyOf(offsets, count * 2);
      }
      offsets[count++] = at;
      at = checkedEnd(bytes, at, to, tags, sequences);
    }
    return new DataBlock(bytes, memory.filled(offsets, count), count, tags, sequences);
  }

  /** Returns the same block, knowing how long its cells are as the file has them. */
  public DataBlock stored(int size) {
    return new DataBlock(bytes, offsets, count, tags, sequences, size, rows, bounds, slice);
  }

  /** Tells whether there is a table of its rows. */
  public boolean hasRowPrefixes() {
    return !rows.isEmpty();
  }

  /**
   * Returns the same block with a table of its rows and the bounds of its cells, for a caller that
   * keeps it; rows are in byte order.
   */
  public DataBlock withRowPrefixes() {
    RowPrefixIndex table = RowPrefixIndex.of(bytes, offsets, Cell.LENGTHS_SIZE, count);
    return new DataBlock(
        bytes, offsets, count, tags, sequences, storedSize, table, boundsOfCells(), slice);
  }

  /** Returns a copy in another place, of {@link #cellBytes}, without a table of rows. */
  public DataBlock movedTo(BlockSlabs.Slice place) {
    int from = offsets[0];
    System.arraycopy(bytes, from, place.bytes(), place.offset(), place.length());
    int[] moved = new int[count];
    for (int i = 0; i < count; i++) {
      moved[i] = offsets[i] - from + place.offset();
    }
    return new DataBlock(
        place.bytes(),
        moved,
        count,
        tags,
        sequences,
        storedSize,
        RowPrefixIndex.NONE,
        BlockStats.UNKNOWN,
        place);
  }

  /** Returns the size of all cells, bytes. */
  public int cellBytes() {
    return read(bytes, offsets[count - 1], tags, sequences, new Cell()) - offsets[0];
  }

  /** Returns the block's slice of a slab; {@link BlockSlabs.Slice#NONE} if it has none. */
  public BlockSlabs.Slice slice() {
    return slice;
  }

  private BlockStats boundsOfCells() {
    long oldest = Long.MAX_VALUE;
    long newest = Long.MIN_VALUE;
    long maxSequence = 0;
    Cell cell = new Cell();
    for (int i = 0; i < count; i++) {
      get(i, cell);
      boolean repeated =
          i + 1 < count && isSameColumn(cell.keyOffset(), cell.keyLength(), key(i + 1));
      if (repeated || !PlainCells.ANY.include(cell)) {
        return BlockStats.UNKNOWN;
      }
      oldest = Math.min(oldest, cell.timestamp());
      newest = Math.max(newest, cell.timestamp());
      maxSequence = Math.max(maxSequence, cell.sequence());
    }
    return new BlockStats(true, oldest, newest, maxSequence);
  }

  /**
   * Returns how many bytes the cells take in the file, encoded as they are there but before
   * compression; 0 if it was not said.
   */
  public int storedSize() {
    return storedSize;
  }

  /** Returns the number of cells, at least 1. */
  public int count() {
    return count;
  }

  @Override
  public long weight() {
    int held = slice == NO_SLICE ? bytes.length : slice.length();
    return OVERHEAD + held + 4L * offsets.length + rows.weight();
  }

  /** Points {@code cell} at cell {@code i}; its sequence number is 0 if the file has none. */
  public void get(int i, Cell cell) {
    read(bytes, offsets[i], tags, sequences, cell);
  }

  /**
   * Copies cells as {@link dev.cairn.engine.cursor.CellCursor#copyRun} does, starting at cell
   * {@code from}. It never copies the last cell of the block, because the next cell is in another
   * block. If there is a table of rows, and the bounds of the block's cells suffice, it copies
   * whole rows without a look at their cells, except the last row and the row of the end.
   *
   * @return how many
   */
  public int copyRun(int from, CellRun run) {
    if (rows.isEmpty() || !bounds.areAllIn(run.rule())) {
      return copyJudged(from, run) - from;
    }
    Cell end = run.end();
    int row = rows.rowOf(from);
    int stop = row;
    int at = from;
    if (run.crossesRows()) {
      int last = row + Math.min(run.rowsLeft(), rows.count() - 1 - row);
      long range = end == CellRun.NO_END ? rows.rangeOfAll() : rows.rowRange(end);
      stop = Math.max(row, Math.min(last, (int) (range >>> Integer.SIZE)));
      at = copyRows(from, row, stop, run);
      // The row of the end is read last: memory is faster in order.
      int before = Math.min(last, rows.rowsBefore(range, end, bytes, offsets, Cell.LENGTHS_SIZE));
      if (before > stop && (stop == row || at == rows.firstKey(stop))) {
        assert Marks.hit(ReadMark.BLOCK_ROWS_TO_END);
        at = copyRows(at, stop, before, run);
        stop = before;
      }
    }
    if (at == from || run.rowsLeft() > 0 && at == rows.firstKey(stop) && isInRow(end, at)) {
      at = copyOfRow(at, stop, run);
    }
    return at - from;
  }

  /**
   * Copies the rest of a row and the rows after it, up to another row or a limit.
   *
   * @return the index after the last copied cell
   */
  private int copyRows(int from, int row, int stop, CellRun run) {
    if (stop == row) {
      return from;
    }
    int begun = run.cellsOfRow();
    int to = copyWithinLimits(from, rows.firstKey(stop), run);
    assert Marks.hit(to == rows.firstKey(stop) ? ReadMark.BLOCK_ROWS : ReadMark.BLOCK_ROWS_CUT);
    int ended = to == rows.firstKey(stop) ? stop : rows.rowOf(to);
    if (ended > row) {
      run.rowSizes().add(begun + rows.firstKey(row + 1) - from);
      rows.addSizes(row + 1, ended, run.rowSizes());
    }
    return to;
  }

  /**
   * Copies cells of a row, up to the end or a limit. Returns the index after the last copied cell.
   */
  private int copyOfRow(int from, int row, CellRun run) {
    int to = Math.min(rows.firstKey(row + 1), count - 1);
    if (isInRow(run.end(), from)) {
      to = firstNotBefore(run.end(), from, to);
    }
    assert Marks.hit(ReadMark.BLOCK_PART_OF_ROW);
    return copyWithinLimits(from, to, run);
  }

  /** Copies cells up to a limit, or {@code to}. Returns the index after the last copied cell. */
  private int copyWithinLimits(int from, int to, CellRun run) {
    int stop = from + Math.min(to - from, run.cellsLeft());
    long bytesLeft = run.bytesLeft();
    int low = bytesAtMost(from, stop) <= bytesLeft ? stop : from;
    while (low < stop) {
      int middle = (low + stop) >>> 1;
      if (bytesAtMost(from, middle) < bytesLeft) {
        low = middle + 1;
      } else {
        stop = middle;
      }
    }
    if (stop > from) {
      run.copy(bytes, offsets, from, stop);
    }
    return stop;
  }

  /**
   * Copies cells of one row. Faster than {@link #get} and a judge, because it reads only the bytes
   * of a cell that decide, and each once. Returns the index after the last copied cell.
   */
  private int copyJudged(int from, CellRun run) {
    PlainCells rule = run.rule();
    Cell end = run.end();
    int rowEnd = rows.isEmpty() ? nearRowEnd(from) : rows.rowEnd(from);
    int to = from + Math.min(run.cellsLeft(), Math.min(rowEnd, count - 1) - from);
    boolean someNewer = sequences && rule.readPoint() != Long.MAX_VALUE;
    boolean endsInRow = isInRow(end, from);
    long left = run.bytesLeft();
    int at = from;
    while (at < to && left > 0) {
      int key = key(at);
      int keyLength = Bytes.getInt(bytes, key - Cell.LENGTHS_SIZE);
      int valueEnd = key + keyLength + Bytes.getInt(bytes, key - Integer.BYTES);
      int version = key + keyLength - VERSION_SIZE;
      if (!rule.include(bytes[version + Long.BYTES] & 0xFF, Bytes.getLong(bytes, version))
          || tags && Bytes.getUnsignedShort(bytes, valueEnd) > 0
          || someNewer && VarLong.read(bytes, tags ? valueEnd + 2 : valueEnd) > rule.readPoint()
          || endsInRow && !end.isBehindColumn(bytes, key, version)
          || (at + 1 < rowEnd || rows.isEmpty()) && isSameColumn(key, keyLength, key(at + 1))) {
        break;
      }
      left -= valueEnd - key + Cell.LENGTHS_SIZE + CellRun.CELL_OVERHEAD;
      at++;
    }
    if (at > from) {
      assert Marks.hit(ReadMark.BLOCK_JUDGED);
      run.copy(bytes, offsets, from, at);
      if (run.crossesRows()
          && !endsInRow
          && at == rowEnd
          && !RowPrefixIndex.isSameRow(bytes, key(at - 1), key(at))) {
        run.rowEnds();
      }
    }
    return at;
  }

  /** Tells whether the end of a run is in the row of cell {@code i}. */
  private boolean isInRow(Cell end, int i) {
    int key = key(i);
    // NO_END is an empty cell. Foreign files may have rows of no bytes, which would match it.
    return end != CellRun.NO_END
        && end.rowEquals(bytes, key + ROW_LENGTH_SIZE, Bytes.getUnsignedShort(bytes, key));
  }

  /**
   * Returns the first cell of a row, at {@code from} or later, whose column is that of {@code end}
   * or a later one. Steps cell by cell at first, because the row is copied next and memory is
   * faster in order.
   */
  private int firstNotBefore(Cell end, int from, int to) {
    int low = from;
    int near = Math.min(to, from + NEAR);
    while (low < near && isBefore(low, end)) {
      low++;
    }
    int high = low < near ? low : to;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isBefore(middle, end)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Tells whether the column of cell {@code i} comes before that of a cell of the same row. */
  private boolean isBefore(int i, Cell end) {
    int key = key(i);
    int version = key + Bytes.getInt(bytes, key - Cell.LENGTHS_SIZE) - VERSION_SIZE;
    return end.isBehindColumn(bytes, key, version);
  }

  /** Returns the most bytes that these cells count against a limit. */
  private long bytesAtMost(int from, int to) {
    return offsets[to] - offsets[from] + (long) CellRun.CELL_OVERHEAD * (to - from);
  }

  /**
   * Returns the first cell after the row of cell {@code i}, or {@link #count}. The result is the
   * same with and without a table of rows, so a scan does not depend on the cache.
   */
  public int rowEnd(int i) {
    return rows.isEmpty() ? soughtRowEnd(i) : rows.rowEnd(i);
  }

  private int soughtRowEnd(int i) {
    int low = i; // in the row
    int high = i + 1; // after it, once that is known
    int step = 1;
    while (high < count && RowPrefixIndex.isSameRow(bytes, key(i), key(high))) {
      low = high;
      step <<= 1;
      high = Math.min(count, high + step);
    }
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (RowPrefixIndex.isSameRow(bytes, key(i), key(middle))) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** Returns the first cell after the column of cell {@code i}, or {@link #count}. */
  public int columnEnd(int i) {
    if (bounds.plain()) {
      return i + 1;
    }
    int key = key(i);
    int keyLength = Bytes.getInt(bytes, key - Cell.LENGTHS_SIZE);
    int low = i; // in the column
    int high = i + 1; // after it, once that is known
    int step = 1;
    while (high < count && isSameColumn(key, keyLength, key(high))) {
      low = high;
      step <<= 1;
      high = Math.min(count, high + step);
    }
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (isSameColumn(key, keyLength, key(middle))) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /**
   * Returns the first cell after the row of cell {@code from}; if the row is long, a near cell of
   * it.
   */
  private int nearRowEnd(int from) {
    int to = Math.min(count, from + NEAR);
    int at = from + 1;
    while (at < to && RowPrefixIndex.isSameRow(bytes, key(from), key(at))) {
      at++;
    }
    return at;
  }

  /** Compares the columns of two keys: most differ in length, or in their last bytes. */
  private boolean isSameColumn(int key, int keyLength, int other) {
    int version = key + keyLength - VERSION_SIZE;
    int otherVersion = other + keyLength - VERSION_SIZE;
    return Bytes.getInt(bytes, other - Cell.LENGTHS_SIZE) == keyLength
        && (version - key < Integer.BYTES
            || Bytes.getInt(bytes, version - Integer.BYTES)
                == Bytes.getInt(bytes, otherVersion - Integer.BYTES))
        && Arrays.equals(bytes, key, version, bytes, other, otherVersion);
  }

  /** Returns the offset of the key of cell {@code i}. */
  private int key(int i) {
    return offsets[i] + Cell.LENGTHS_SIZE;
  }

  /** Returns the first cell that is not before {@code key}, or {@link #count}. */
  public int lowerBound(Cell key, CellComparator order, Cell probe) {
    if (rows.isEmpty()) {
      return lowerBound(key, 0, count, order, probe);
    }
    long range = rows.range(key);
    int low = (int) (range >>> 32);
    int high = (int) range;
    // Most seeks go to the beginning of a row.
    return low == high || !isBefore(low, key, order, probe)
        ? low
        : lowerBound(key, low + 1, high, order, probe);
  }

  /**
   * As {@link #lowerBound(Cell, CellComparator, Cell)}, starting at index {@code from}; cheapest
   * for cells near it.
   */
  public int lowerBoundFrom(int from, Cell key, CellComparator order, Cell probe) {
    int low = from;
    int step = 1;
    for (int at = from; at < count; at = Math.min(count, at + step)) {
      if (!isBefore(at, key, order, probe)) {
        return lowerBound(key, low, at, order, probe);
      }
      low = at + 1;
      step <<= 1;
      if (step > MAX_STEP && !rows.isEmpty()) {
        return Math.max(low, lowerBound(key, order, probe));
      }
    }
    return lowerBound(key, low, count, order, probe);
  }

  private int lowerBound(Cell key, int from, int to, CellComparator order, Cell probe) {
    int low = from;
    int high = to;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isBefore(middle, key, order, probe)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Tells whether cell {@code i} is before {@code key}; reads the sequence only if it decides. */
  private boolean isBefore(int i, Cell key, CellComparator order, Cell probe) {
    int at = offsets[i];
    probe.setKey(bytes, at + Cell.LENGTHS_SIZE, Bytes.getInt(bytes, at));
    int compared = order.compareKeys(probe, key);
    if (compared != 0) {
      return compared < 0;
    }
    get(i, probe);
    return probe.sequence() > key.sequence();
  }

  /**
   * Points {@code cell} at the one that begins at {@code at} and is known to be whole; its sequence
   * number is 0 if there is none.
   *
   * @return where it ends
   */
  public static int read(byte[] bytes, int at, boolean tags, boolean sequences, Cell cell) {
    int keyLength = Bytes.getInt(bytes, at);
    int valueLength = Bytes.getInt(bytes, at + 4);
    int end = at + Cell.LENGTHS_SIZE + keyLength + valueLength;
    int tagsLength = 0;
    if (tags) {
      tagsLength = Bytes.getUnsignedShort(bytes, end);
      end += 2 + tagsLength;
    }
    long sequence = 0;
    if (sequences) {
      sequence = VarLong.read(bytes, end);
      end += VarLong.lengthOf(bytes[end]);
    }
    cell.set(bytes, at, keyLength, valueLength, tagsLength, sequence);
    return end;
  }

  private static int checkedEnd(byte[] bytes, int at, int to, boolean tags, boolean sequences)
      throws IOException {
    int left = to - at - Cell.LENGTHS_SIZE;
    if (left < Cell.KEY_OVERHEAD) {
      throw new IOException((to - at) + " bytes where a cell should begin");
    }
    int keyLength = Bytes.getInt(bytes, at);
    int valueLength = Bytes.getInt(bytes, at + 4);
    if (keyLength > left || valueLength < 0 || valueLength > left - keyLength) {
      throw new IOException(
          "a cell with a key of " + keyLength + " and a value of " + valueLength + " bytes");
    }
    IndexBlock.checkKey(bytes, at + Cell.LENGTHS_SIZE, keyLength);
    int end = at + Cell.LENGTHS_SIZE + keyLength + valueLength;
    if (tags) {
      if (to - end < 2 || to - end - 2 < Bytes.getUnsignedShort(bytes, end)) {
        throw new IOException("tags that are longer than their block");
      }
      end += 2 + Bytes.getUnsignedShort(bytes, end);
    }
    if (sequences) {
      if (to - end < 1 || to - end < VarLong.lengthOf(bytes[end])) {
        throw new IOException("a sequence number that is longer than its block");
      }
      end += VarLong.lengthOf(bytes[end]);
    }
    return end;
  }
}
