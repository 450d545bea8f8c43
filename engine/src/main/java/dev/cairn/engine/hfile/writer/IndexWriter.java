package dev.cairn.engine.hfile.writer;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.hfile.block.BlockWriter;
import dev.cairn.engine.hfile.block.IndexBlock;
import dev.cairn.engine.hfile.format.BlockType;
import dev.cairn.engine.hfile.format.ByteSink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds the index of the data blocks: leaves that are written among them as they fill up, and at
 * the end as many levels above as keep every block small. A file with one leaf has a root only.
 */
final class IndexWriter {
  private final BlockWriter blocks;
  private final int chunkSize;
  private final Level leaf = new Level();
  private final Level leaves = new Level();
  private final List<Integer> leafCounts = new ArrayList<>();
  private long uncompressedBytes;
  private int levels = 1;
  private int rootCount;

  IndexWriter(BlockWriter blocks, int chunkSize) {
    this.blocks = blocks;
    this.chunkSize = chunkSize;
  }

  /** Adds a data block and, when the leaf is full, writes it. */
  void add(byte[] key, long offset, int size) throws IOException {
    leaf.add(key, offset, size);
    if (leaf.size() >= chunkSize) {
      writeLeaf();
    }
  }

  /** Returns the memory that waits to be written, bytes. */
  long pendingBytes() {
    return (long) leaf.size() + leaves.size();
  }

  /** Writes the blocks that precede the root and returns the root's bytes. */
  ByteSink finish() throws IOException {
    ByteSink root = new ByteSink(1024);
    if (leaves.count() == 0) {
      leaf.putRoot(root);
      rootCount = leaf.count();
    } else {
      if (leaf.count() > 0) {
        writeLeaf();
      }
      IndexBlock.MidKey middle = middle();
      levels = 2;
      Level top = leaves;
      // With chunks that hold at least two entries every round makes the level smaller.
      while (top.size() > chunkSize && top.count() > 2) {
        top = writeIntermediate(top);
        levels++;
      }
      top.putRoot(root);
      rootCount = top.count();
      root.putLong(middle.leafOffset());
      root.putInt(middle.leafSize());
      root.putInt(middle.entry());
    }
    uncompressedBytes += root.size();
    return root;
  }

  /** Returns the number of levels, 1 for a root alone; known after {@link #finish}. */
  int levels() {
    return levels;
  }

  /** Returns the number of the root's entries; known after {@link #finish}. */
  int rootCount() {
    return rootCount;
  }

  /** Returns the size of all levels before compression, bytes. */
  long uncompressedBytes() {
    return uncompressedBytes;
  }

  private void writeLeaf() throws IOException {
    leafCounts.add(leaf.count());
    write(BlockType.LEAF_INDEX, leaf, 0, leaf.count(), leaves);
    leaf.clear();
  }

  private Level writeIntermediate(Level below) throws IOException {
    Level above = new Level();
    int first = 0;
    int size = 0;
    for (int i = 0; i < below.count(); i++) {
      size += below.entrySize(i);
      if (i == below.count() - 1 || (size >= chunkSize && i > first)) {
        write(BlockType.INTERMEDIATE_INDEX, below, first, i + 1, above);
        first = i + 1;
        size = 0;
      }
    }
    return above;
  }

  private void write(BlockType type, Level level, int first, int end, Level above)
      throws IOException {
    ByteSink body = new ByteSink(level.size() + 8 * (end - first) + 64);
    level.putBelow(body, first, end);
    long offset = blocks.position();
    int size = blocks.write(type, body);
    uncompressedBytes += body.size();
    above.add(level.keys.get(first), offset, size);
  }

  private IndexBlock.MidKey middle() {
    int total = leafCounts.stream().mapToInt(Integer::intValue).sum();
    int entry = (total - 1) / 2;
    int i = 0;
    while (entry >= leafCounts.get(i)) {
      entry -= leafCounts.get(i++);
    }
    return new IndexBlock.MidKey(leaves.offsets.get(i), leaves.sizes.get(i), entry);
  }

  /** The entries of one level that are not in a block yet. */
  private static final class Level {
    private final List<byte[]> keys = new ArrayList<>();
    private final List<Long> offsets = new ArrayList<>();
    private final List<Integer> sizes = new ArrayList<>();
    private int size;

    void add(byte[] key, long offset, int blockSize) {
      keys.add(key);
      offsets.add(offset);
      sizes.add(blockSize);
      size += entrySize(keys.size() - 1);
    }

    int count() {
      return keys.size();
    }

    int size() {
      return size;
    }

    int entrySize(int i) {
      return 16 + keys.get(i).length;
    }

    void clear() {
      keys.clear();
      offsets.clear();
      sizes.clear();
      size = 0;
    }

    void putRoot(ByteSink body) {
      for (int i = 0; i < count(); i++) {
        body.putLong(offsets.get(i));
        body.putInt(sizes.get(i));
        body.putVarArray(keys.get(i));
      }
    }

    void putBelow(ByteSink body, int first, int end) {
      body.putInt(end - first);
      int starts = body.reserve(4 * (end - first + 1));
      int base = body.size();
      for (int i = first; i < end; i++) {
        Bytes.putInt(body.bytes(), starts + 4 * (i - first), body.size() - base);
        body.putLong(offsets.get(i));
        body.putInt(sizes.get(i));
        body.put(keys.get(i));
      }
      Bytes.putInt(body.bytes(), starts + 4 * (end - first), body.size() - base);
    }
  }
}
