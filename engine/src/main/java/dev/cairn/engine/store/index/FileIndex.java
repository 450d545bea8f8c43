package dev.cairn.engine.store.index;

import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.hfile.format.CorruptFileException;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.index.ValueBounds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The index of a column in a store file; see {@link FileIndexFormat}. Keeps the root in memory.
 * Chunks are read when they are searched, and go through the block cache. Thread-safe.
 *
 * <p>The ranges of a search ascend: by their lower bounds and by their upper bounds.
 */
public final class FileIndex {
  private final HFileReader file;
  private final long entries;
  private final List<Chunk> chunks;
  private final Optional<IndexedValues> values;

  private record Chunk(long offset, int size, byte[] firstValue) {}

  /** Limits the reads of a search. */
  @FunctionalInterface
  public interface Reads {
    /** A chunk is to be read; returns whether the search goes on. */
    boolean mayRead() throws IOException;
  }

  /** Receives the rows of a search, and limits it. */
  @FunctionalInterface
  public interface Rows extends Reads {
    /** Takes a row; returns whether the search goes on. */
    boolean found(byte[] row) throws IOException;

    @Override
    default boolean mayRead() throws IOException {
      return true;
    }
  }

  private FileIndex(
      HFileReader file, long entries, List<Chunk> chunks, Optional<IndexedValues> values) {
    this.file = file;
    this.entries = entries;
    this.chunks = List.copyOf(chunks);
    this.values = values;
  }

  /**
   * Opens the index of a column.
   *
   * @param figures counts the blocks that are read
   * @return empty if the file has none
   * @throws DamagedIndexException if the root is damaged
   */
  public static Optional<FileIndex> open(HFileReader file, byte[] qualifier, ReadMetrics figures)
      throws IOException {
    try {
      Optional<byte[]> root = file.metaBlock(FileIndexFormat.root(qualifier), figures);
      if (root.isEmpty()) {
        return Optional.empty();
      }
      EntryDecoder in = new EntryDecoder(root.get());
      long entries = in.longNumber();
      int chunks = in.number();
      List<Chunk> opened = new ArrayList<>();
      for (int i = 0; i < chunks; i++) {
        long offset = in.longNumber();
        int size = in.number();
        in.next();
        opened.add(new Chunk(offset, size, in.value()));
      }
      return Optional.of(
          new FileIndex(file, entries, opened, IndexedValues.open(file, qualifier, figures)));
    } catch (CorruptFileException | IndexOutOfBoundsException e) {
      throw new DamagedIndexException(file.path(), e);
    }
  }

  /** Tells whether a file has an index of a column. */
  public static boolean exists(HFileReader file, byte[] qualifier) {
    return file.hasMetaBlock(FileIndexFormat.root(qualifier));
  }

  /** Returns the bytes of its entries in the file, without those of the Bloom filter. */
  public long bytes() {
    return chunks.stream().mapToLong(Chunk::size).sum();
  }

  /** Returns the number of entries. */
  public long entries() {
    return entries;
  }

  /** Returns the number of chunks. */
  int chunkCount() {
    return chunks.size();
  }

  /** Returns the ranges that are not outside the least and the greatest value. Reads nothing. */
  public List<ValueBounds> withinBounds(List<ValueBounds> ranges) {
    if (chunks.isEmpty()) {
      return List.of();
    }
    byte[] least = chunks.get(0).firstValue();
    return ranges.stream()
        .filter(
            range ->
                !range.endsBefore(least)
                    && (values.isEmpty() || !values.get().areBelow(range.low())))
        .toList();
  }

  /**
   * Returns the ranges without the single values that the Bloom filter excludes.
   *
   * @param figures counts the chunks of the filter that are read
   * @param limit is asked before each read of a chunk of the filter; after a refusal, all other
   *     ranges are returned
   * @throws DamagedIndexException if a chunk is damaged
   */
  public List<ValueBounds> inBloomFilter(List<ValueBounds> ranges, ReadMetrics figures, Reads limit)
      throws IOException {
    if (values.isEmpty() || !values.get().haveBloomFilter()) {
      return ranges;
    }
    List<ValueBounds> kept = new ArrayList<>();
    long reads = figures.diskBlocks();
    try {
      for (int i = 0; i < ranges.size(); i++) {
        Optional<byte[]> value = ranges.get(i).single();
        if (value.isPresent() && figures.diskBlocks() != reads) {
          reads = figures.diskBlocks();
          if (!limit.mayRead()) {
            kept.addAll(ranges.subList(i, ranges.size()));
            return kept;
          }
        }
        if (value.isEmpty() || values.get().mayContain(value.get(), figures)) {
          kept.add(ranges.get(i));
        }
      }
      return kept;
    } catch (CorruptFileException | IndexOutOfBoundsException e) {
      throw new DamagedIndexException(file.path(), e);
    }
  }

  /** Returns about how many entries the values of some ranges have. Reads nothing. */
  public double estimate(List<ValueBounds> ranges) {
    double parts = 0; // of chunks
    for (ValueBounds range : ranges) {
      int first = firstChunk(range, 0);
      parts += lastChunk(range, first) - first + (range.single().isPresent() ? 0.1 : 0.5);
    }
    return entries * Math.min(1, parts / Math.max(1, chunks.size()));
  }

  /** Returns the last chunk that begins within a range, or {@code first} if none does. */
  private int lastChunk(ValueBounds range, int first) {
    int within = first;
    int beyond = chunks.size();
    while (within + 1 < beyond) {
      int middle = (within + beyond) >>> 1;
      if (range.endsBefore(chunks.get(middle).firstValue())) {
        beyond = middle;
      } else {
        within = middle;
      }
    }
    return within;
  }

  /**
   * Passes on the rows of all values within some ranges, in the order of the values. Reads each
   * chunk once at most.
   *
   * @param ranges the ranges, ascending
   * @param figures counts the chunks
   * @return false if the receiver has ended the search
   * @throws DamagedIndexException if a chunk is damaged
   */
  public boolean search(List<ValueBounds> ranges, ReadMetrics figures, Rows rows)
      throws IOException {
    try {
      int range = 0;
      for (int i = 0; i < chunks.size() && range < ranges.size(); i++) {
        i = firstChunk(ranges.get(range), i);
        Chunk chunk = chunks.get(i);
        while (range < ranges.size() && ranges.get(range).endsBefore(chunk.firstValue())) {
          range++;
        }
        if (range == ranges.size() || firstChunk(ranges.get(range), i) > i) {
          continue; // the next range begins in a later chunk
        }
        if (!rows.mayRead()) {
          return false;
        }
        range = search(read(chunk, figures), ranges, range, rows);
        if (range < 0) {
          return false;
        }
      }
      return true;
    } catch (CorruptFileException | IndexOutOfBoundsException e) {
      throw new DamagedIndexException(file.path(), e);
    }
  }

  private IndexChunk read(Chunk chunk, ReadMetrics figures) throws IOException {
    return file.metaBlock(chunk.offset(), chunk.size(), IndexChunk.class, IndexChunk::new, figures);
  }

  /**
   * Searches a chunk.
   *
   * @param range the first range that may have entries from this chunk on
   * @return the first range that may have entries after this chunk; -1 if the receiver has ended
   *     the search
   */
  private static int search(IndexChunk chunk, List<ValueBounds> ranges, int range, Rows rows)
      throws IOException {
    int current = range;
    EntryDecoder in = chunk.from(ranges.get(current).low());
    while (in.hasNext()) {
      in.next();
      while (ranges.get(current).endsBefore(in.value())) {
        current++;
        if (current == ranges.size()) {
          return current;
        }
      }
      if (!ranges.get(current).beginsAfter(in.value()) && !rows.found(in.row())) {
        return -1;
      }
    }
    return current;
  }

  /**
   * Returns the last chunk that begins below a range, but at least {@code from}: no chunk before it
   * has entries of the range.
   */
  private int firstChunk(ValueBounds range, int from) {
    int low = from;
    int high = chunks.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(chunks.get(middle).firstValue(), range.low()) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return Math.max(from, low - 1);
  }
}
