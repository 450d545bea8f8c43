package dev.cairn.engine.hfile.reader;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.CellRun;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.cursor.SeekKey;
import dev.cairn.engine.hfile.block.BlockMemory;
import dev.cairn.engine.hfile.block.DataBlock;
import dev.cairn.engine.hfile.block.IndexBlock;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.probe.ReadMark;
import java.io.IOException;
import java.util.Arrays;

/**
 * A cursor over a file: a path of index entries from the root down to a data block, and a cell in
 * that block. Within a block nothing is allocated.
 */
final class HFileCursor implements CellCursor {
  private static final int NOWHERE = -1;

  private final HFileReader reader;
  private final boolean cacheBlocks;
  private final BlockMemory memory;
  private final ReadMetrics figures;
  private final CellComparator order;
  private final IndexBlock[] path;
  private final int[] entries;
  private final Cell current = new Cell();
  private final Cell probe = new Cell();
  private final SeekKey columnKey = new SeekKey();

  /** The block of the path's last entry; null before the first seek. */
  private DataBlock block;

  private long blockOffset = NOWHERE;
  private int index = NOWHERE;

  /**
   * Creates a cursor without a position.
   *
   * @param memory memory for blocks that are not in the cache; new for each block if the cache is
   *     to keep them
   * @param figures counts the reads
   */
  HFileCursor(HFileReader reader, boolean cacheBlocks, BlockMemory memory, ReadMetrics figures) {
    this.reader = reader;
    this.cacheBlocks = cacheBlocks;
    this.memory = memory;
    this.figures = figures;
    this.order = reader.comparator();
    this.path = new IndexBlock[reader.indexLevels()];
    this.entries = new int[path.length];
    this.path[0] = reader.root();
  }

  @Override
  public Cell cell() {
    return index == NOWHERE ? null : current;
  }

  @Override
  public boolean next() throws IOException {
    if (index == NOWHERE) {
      throw new IllegalStateException("The cursor stands nowhere");
    }
    if (index + 1 < block.count()) {
      return stand(index + 1);
    }
    return nextBlock() ? stand(0) : leave();
  }

  @Override
  public int copyRun(CellRun run) {
    int copied = block.copyRun(index, run);
    if (copied > 0) {
      stand(index + copied);
      assert Marks.hitIf(index == block.count() - 1, ReadMark.BLOCK_END);
    }
    return copied;
  }

  @Override
  public boolean skipRow() {
    int rowEnd = block.rowEnd(index);
    return rowEnd < block.count() && stand(rowEnd);
  }

  @Override
  public boolean skipColumn() throws IOException {
    int end = block.columnEnd(index);
    if (end < block.count()) {
      return stand(end);
    }
    // The next block may lie in the memory of this one.
    Cell behind = columnKey.afterColumn(current);
    if (!nextBlock()) {
      return leave();
    }
    stand(0);
    return order.compare(current, behind) >= 0 || seek(behind);
  }

  @Override
  public boolean seek(Cell key) throws IOException {
    int found;
    int ahead = index == NOWHERE ? 1 : order.compare(current, key);
    if (ahead < 0 && !nextBlockLeads(key)) {
      assert Marks.hit(ReadMark.SEEK_IN_BLOCK);
      found = block.lowerBoundFrom(index + 1, key, order, probe);
    } else if (locate(key)) {
      found = block.lowerBound(key, order, probe);
    } else {
      return leave();
    }
    while (found == block.count()) {
      if (!nextBlock()) {
        return leave();
      }
      found = block.lowerBound(key, order, probe);
    }
    return stand(found);
  }

  @Override
  public boolean seekBefore(Cell key) throws IOException {
    if (!locate(key)) {
      return leave();
    }
    int found = block.lowerBound(key, order, probe);
    // Cells with the sought key and different sequence numbers may lie on both sides of a border.
    while (found == block.count() && nextBlockBeginsAt(key) && nextBlock()) {
      found = block.lowerBound(key, order, probe);
    }
    if (found > 0) {
      return stand(found - 1);
    }
    return previousBlock() ? stand(block.count() - 1) : leave();
  }

  @Override
  public void close() {
    leave();
    block = null;
    blockOffset = NOWHERE;
    memory.release();
    // A cursor between two uses keeps no block in memory.
    Arrays.fill(path, 1, path.length, null);
    current.clear();
    probe.clear();
    columnKey.trim();
  }

  private boolean stand(int at) {
    index = at;
    block.get(at, current);
    return true;
  }

  private boolean leave() {
    index = NOWHERE;
    return false;
  }

  /**
   * Moves to the block in which cells at or after {@code key} begin, unless they begin in a later
   * one.
   */
  private boolean locate(Cell key) throws IOException {
    if (path[0].count() == 0) {
      return false;
    }
    entries[0] = Math.max(0, path[0].floor(key, order, probe));
    for (int depth = 1; depth < path.length; depth++) {
      descend(depth);
      entries[depth] = Math.max(0, path[depth].floor(key, order, probe));
    }
    load();
    return true;
  }

  /** Tells whether the next block can hold {@code key}, and the current one cannot. */
  private boolean nextBlockLeads(Cell key) {
    for (int depth = path.length - 1; depth >= 0; depth--) {
      if (entries[depth] + 1 < path[depth].count()) {
        return path[depth].leads(entries[depth] + 1, key, order, probe);
      }
    }
    return false;
  }

  /** Tells whether the next block has a key at or before {@code key}. */
  private boolean nextBlockBeginsAt(Cell key) {
    for (int depth = path.length - 1; depth >= 0; depth--) {
      if (entries[depth] + 1 < path[depth].count()) {
        path[depth].key(entries[depth] + 1, probe);
        return order.compareKeys(probe, key) <= 0;
      }
    }
    return false;
  }

  private boolean nextBlock() throws IOException {
    int depth = path.length - 1;
    while (depth >= 0 && entries[depth] + 1 >= path[depth].count()) {
      depth--;
    }
    if (depth < 0) {
      return false;
    }
    entries[depth]++;
    while (++depth < path.length) {
      descend(depth);
      entries[depth] = 0;
    }
    load();
    return true;
  }

  private boolean previousBlock() throws IOException {
    int depth = path.length - 1;
    while (depth >= 0 && entries[depth] == 0) {
      depth--;
    }
    if (depth < 0) {
      return false;
    }
    entries[depth]--;
    while (++depth < path.length) {
      descend(depth);
      entries[depth] = path[depth].count() - 1;
    }
    load();
    return true;
  }

  private void descend(int depth) throws IOException {
    path[depth] = reader.index(path[depth - 1], entries[depth - 1], depth, figures);
  }

  private void load() throws IOException {
    IndexBlock leaf = path[path.length - 1];
    int entry = entries[path.length - 1];
    long offset = leaf.offset(entry);
    if (offset != blockOffset) {
      block = reader.data(offset, leaf.size(entry), cacheBlocks, memory, figures);
      blockOffset = offset;
      figures.entered(block.storedSize());
    }
  }
}
