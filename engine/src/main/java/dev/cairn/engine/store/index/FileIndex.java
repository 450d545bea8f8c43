package dev.cairn.engine.store.index;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.hfile.format.CorruptFileException;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.index.ValueBounds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The index of a column in a store file; see {@link FileIndexFormat}. Keeps the root in memory, and
 * reads chunks when they are searched. Thread-safe.
 */
public final class FileIndex {
  private final HFileReader file;
  private final long entries;
  private final List<Chunk> chunks;

  private record Chunk(long offset, int size, byte[] firstValue) {}

  /** Receives the rows of a search. */
  @FunctionalInterface
  public interface Rows {
    /** Takes a row; returns whether the search goes on. */
    boolean found(byte[] row);
  }

  private FileIndex(HFileReader file, long entries, List<Chunk> chunks) {
    this.file = file;
    this.entries = entries;
    this.chunks = List.copyOf(chunks);
  }

  /**
   * Opens the index of a column.
   *
   * @return empty if the file has none
   * @throws DamagedIndexException if the root is damaged
   */
  public static Optional<FileIndex> open(HFileReader file, byte[] qualifier) throws IOException {
    try {
      Optional<byte[]> root = file.metaBlock(FileIndexFormat.root(qualifier));
      if (root.isEmpty()) {
        return Optional.empty();
      }
      Decoder in = new Decoder(root.get());
      long entries = in.longNumber();
      int chunks = in.number();
      List<Chunk> opened = new ArrayList<>();
      for (int i = 0; i < chunks; i++) {
        long offset = in.longNumber();
        int size = in.number();
        in.next();
        opened.add(new Chunk(offset, size, in.value));
      }
      return Optional.of(new FileIndex(file, entries, opened));
    } catch (CorruptFileException | IndexOutOfBoundsException e) {
      throw new DamagedIndexException(file.path(), e);
    }
  }

  /** Tells whether a file has an index of a column. */
  public static boolean exists(HFileReader file, byte[] qualifier) {
    return file.hasMetaBlock(FileIndexFormat.root(qualifier));
  }

  /** Returns the bytes of its chunks in the file. */
  public long bytes() {
    return chunks.stream().mapToLong(Chunk::size).sum();
  }

  /** Returns the number of entries. */
  public long entries() {
    return entries;
  }

  /**
   * Passes on the rows of all values within bounds, in the order of the values.
   *
   * @return false if the receiver has ended the search
   * @throws DamagedIndexException if a chunk is damaged
   */
  public boolean search(ValueBounds bounds, Rows rows) throws IOException {
    try {
      for (int i = firstChunk(bounds); i < chunks.size(); i++) {
        Chunk chunk = chunks.get(i);
        if (bounds.endsBefore(chunk.firstValue())) {
          return true;
        }
        Decoder in = new Decoder(file.metaBlock(chunk.offset(), chunk.size()));
        while (in.hasNext()) {
          in.next();
          if (bounds.endsBefore(in.value)) {
            return true;
          }
          if (!bounds.beginsAfter(in.value) && !rows.found(in.row())) {
            return false;
          }
        }
      }
      return true;
    } catch (CorruptFileException | IndexOutOfBoundsException e) {
      throw new DamagedIndexException(file.path(), e);
    }
  }

  /** Returns the last chunk that begins below the bounds, 0 if none does. */
  private int firstChunk(ValueBounds bounds) {
    int low = 0;
    int high = chunks.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(chunks.get(middle).firstValue(), bounds.low()) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return Math.max(0, low - 1);
  }

  /** Reads entries. */
  private static final class Decoder {
    private final byte[] bytes;
    private int at;
    private byte[] value = Bytes.EMPTY;
    private int rowAt;
    private int rowLength;

    Decoder(byte[] bytes) {
      this.bytes = bytes;
    }

    boolean hasNext() {
      return at < bytes.length;
    }

    int number() {
      int offset = at;
      advance(Integer.BYTES);
      return Bytes.getInt(bytes, offset);
    }

    long longNumber() {
      int offset = at;
      advance(Long.BYTES);
      return Bytes.getLong(bytes, offset);
    }

    /** Passes over bytes. */
    private void advance(int length) {
      Objects.checkFromIndexSize(at, length, bytes.length);
      at += length;
    }

    private int packed() {
      int number = 0;
      for (int shift = 0; shift < Integer.SIZE; shift += 7) {
        int next = bytes[at++];
        number |= (next & 0x7F) << shift;
        if (next >= 0) {
          return number;
        }
      }
      throw new IndexOutOfBoundsException("a number that is too long, at " + at);
    }

    /** Reads an entry. Its value is a new array, unless it is that of the entry before. */
    void next() {
      int shared = packed();
      int rest = packed();
      Objects.checkFromIndexSize(0, shared, value.length);
      int offset = at;
      advance(rest);
      if (rest > 0 || shared != value.length) {
        byte[] next = Arrays.copyOf(value, shared + rest);
        System.arraycopy(bytes, offset, next, shared, rest);
        value = next;
      }
      rowLength = packed();
      rowAt = at;
      advance(rowLength);
    }

    byte[] row() {
      return Arrays.copyOfRange(bytes, rowAt, rowAt + rowLength);
    }
  }
}
