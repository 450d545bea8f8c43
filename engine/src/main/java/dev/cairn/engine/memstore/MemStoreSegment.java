package dev.cairn.engine.memstore;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.compile.CompiledApart;
import dev.cairn.engine.index.IndexedColumns;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * A sorted set of cells in memory that grows only. Any number of threads may add and read.
 *
 * <p>The segment begins small and grows by slabs, so that the many idle stores of a server cost
 * next to nothing. Everything it holds goes at once, when the segment does.
 */
public final class MemStoreSegment {
  /** The segment's own objects; slabs are counted as they come. */
  private static final int FIXED_BYTES = 640;

  private final SkipList list;
  private final LongAdder cellCount = new LongAdder();
  private final LongAdder dataSize = new LongAdder();
  private final AtomicLong minTimestamp = new AtomicLong(Long.MAX_VALUE);
  private final AtomicLong maxTimestamp = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong maxSequence = new AtomicLong();
  private final AtomicLong minSequence = new AtomicLong(Long.MAX_VALUE);
  private final NonceList nonces = new NonceList();
  private final SegmentIndexes indexes; // null if no column is indexed
  private volatile boolean tagged;
  private volatile long firstAddedMillis = Long.MAX_VALUE;

  /**
   * Creates an empty segment.
   *
   * @param slabBytes the size to which slabs grow, at least 1; a cell that is larger than a quarter
   *     of it gets a slab of its own
   */
  public MemStoreSegment(CellComparator comparator, int slabBytes) {
    this(comparator, slabBytes, IndexedColumns.NONE);
  }

  /** Creates an empty segment whose cells of {@code indexed} columns have index entries. */
  public MemStoreSegment(CellComparator comparator, int slabBytes, IndexedColumns indexed) {
    this.list = new SkipList(comparator, slabBytes);
    this.indexes = indexed.count() == 0 ? null : new SegmentIndexes(indexed, slabBytes);
  }

  /** Returns the indexes of the segment's columns; empty if there are none. */
  public Optional<SegmentIndexes> indexes() {
    return Optional.ofNullable(indexes);
  }

  /**
   * Copies a cell into the segment under {@code sequence}. Nothing is ever replaced: several cells
   * with the same key and sequence all stay, and the one that was added last comes first, so that
   * it wins wherever cells are merged.
   */
  @CompiledApart("leads from a write to the memstore")
  public void add(Cell cell, long sequence) {
    note(cell, sequence);
    noteTags(cell.tagsLength() > 0);
    cellCount.increment();
    dataSize.add(cell.serializedLength(true));
    if (indexes != null) {
      indexes.add(cell);
    }
    new SkipListInserter(list).add(cell, sequence);
  }

  /** As {@link #add(Cell, long)}, and takes note of the time if it is the first cell. */
  public void add(Cell cell, long sequence, long nowMillis) {
    noteTime(nowMillis);
    add(cell, sequence);
  }

  /**
   * As {@link #add(Cell, long, long)} with each cell of a buffer, one after the other, and faster.
   *
   * @param order the indexes of the cells, best in about the order of their rows; within a row it
   *     is changed
   */
  public void add(CellBuffer cells, int[] order, long sequence, long nowMillis) {
    noteTime(nowMillis);
    Cell cell = new Cell();
    long bytes = 0;
    for (int index : order) {
      note(cells.get(index, cell, sequence), sequence);
      bytes += cell.serializedLength(true);
    }
    noteTags(cells.mayHaveTags());
    cellCount.add(order.length);
    dataSize.add(bytes);
    if (indexes != null) {
      indexes.add(cells, order);
    }
    new BatchInserter(list).add(cells, order, sequence);
  }

  /** Adds the nonce of a change whose cells are in the segment; see {@link NonceList#add}. */
  public void addNonce(long group, long number, long writeMillis) {
    nonces.add(group, number, writeMillis);
  }

  /** Returns the nonces of changes whose cells are in the segment. */
  public NonceList nonces() {
    return nonces;
  }

  private void noteTime(long nowMillis) {
    if (firstAddedMillis == Long.MAX_VALUE) {
      firstAddedMillis = nowMillis; // of several threads that come first any one's time will do
    }
  }

  private void noteTags(boolean some) {
    if (some && !tagged) {
      tagged = true;
    }
  }

  private void note(Cell cell, long sequence) {
    long timestamp = cell.timestamp();
    long oldest = CellType.hidesOlder(cell.typeCode()) ? Math.min(timestamp, 0) : timestamp;
    if (oldest < minTimestamp.get()) {
      minTimestamp.accumulateAndGet(oldest, Math::min);
    }
    if (timestamp > maxTimestamp.get()) {
      maxTimestamp.accumulateAndGet(timestamp, Math::max);
    }
    if (sequence > maxSequence.get()) {
      maxSequence.accumulateAndGet(sequence, Math::max);
    }
    if (sequence < minSequence.get()) {
      minSequence.accumulateAndGet(sequence, Math::min);
    }
  }

  /**
   * Opens a cursor that skips cells with a sequence above {@code readPoint}. It sees cells that are
   * added while it is open, unless it has passed their position.
   */
  public SegmentCursor cursor(long readPoint) {
    return new SegmentCursor(list, readPoint);
  }

  /**
   * Returns the length of the largest cell that has a slab of its own, bytes; 0 if all cells are
   * smaller than a quarter of a slab.
   */
  public int largestCellBytes() {
    return list.largestCellBytes();
  }

  /** Returns the heap that the segment takes, with all overhead, bytes. */
  public long byteSize() {
    return FIXED_BYTES
        + list.heapBytes()
        + nonces.heapBytes()
        + (indexes == null ? 0 : indexes.heapBytes());
  }

  /** Returns the length of all cells together, bytes. */
  public long dataSize() {
    return dataSize.sum();
  }

  /** Returns the number of cells. */
  public int cellCount() {
    return cellCount.intValue();
  }

  /** Tells whether there are no cells. */
  public boolean isEmpty() {
    return list.first() == 0;
  }

  /** Tells whether some cell may have tags; if not, none has. */
  public boolean mayHaveTags() {
    return tagged;
  }

  /**
   * Returns the lowest timestamp that a cell has or that a marker hides; {@link Long#MAX_VALUE} if
   * there are no cells. It may be lower than that of all cells that a reader sees.
   */
  public long minTimestamp() {
    return minTimestamp.get();
  }

  /** Returns the highest timestamp, {@link Long#MIN_VALUE} if there are no cells. */
  public long maxTimestamp() {
    return maxTimestamp.get();
  }

  /** Returns the lowest sequence, {@link Long#MAX_VALUE} if there are no cells. */
  public long minSequence() {
    return minSequence.get();
  }

  /**
   * Returns when the first cell came that came with a time, milliseconds since 1970; {@link
   * Long#MAX_VALUE} if none did.
   */
  public long firstAddedMillis() {
    return firstAddedMillis;
  }

  /** Returns the highest sequence, 0 if there are no cells. */
  public long maxSequence() {
    return maxSequence.get();
  }
}
