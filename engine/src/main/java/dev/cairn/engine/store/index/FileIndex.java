package dev.cairn.engine.store.index;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.index.ValueBounds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The index of a column in a store file; see {@link FileIndexFormat}. Keeps the root in memory, and
 * reads chunks when they are searched. Thread-safe.
 */
public final class FileIndex {
  private final HFileReader file;
  private final byte[] qualifier;
  private final long entries;
  private final List<byte[]> firstValues;

  /** Receives the rows of a search. */
  @FunctionalInterface
  public interface Rows {
    /** Takes a row; returns whether the search goes on. */
    boolean found(byte[] row);
  }

  private FileIndex(HFileReader file, byte[] qualifier, long entries, List<byte[]> firstValues) {
    this.file = file;
    this.qualifier = qualifier;
    this.entries = entries;
    this.firstValues = firstValues;
  }

  /**
   * Opens the index of a column.
   *
   * @return empty if the file has none
   */
  public static Optional<FileIndex> open(HFileReader file, byte[] qualifier) throws IOException {
    Optional<byte[]> root = file.metaBlock(FileIndexFormat.root(qualifier));
    if (root.isEmpty()) {
      return Optional.empty();
    }
    Decoder in = new Decoder(root.get());
    try {
      int version = in.number(1);
      if (version != FileIndexFormat.VERSION) {
        return Optional.empty(); // of a later version of Cairn
      }
      long entries = in.longNumber();
      int chunks = in.number(Integer.BYTES);
      List<byte[]> firsts = new ArrayList<>(Math.min(chunks, root.get().length));
      for (int i = 0; i < chunks; i++) {
        in.next();
        firsts.add(in.value);
      }
      return Optional.of(new FileIndex(file, qualifier, entries, firsts));
    } catch (IndexOutOfBoundsException e) {
      throw damaged(file, e);
    }
  }

  /** Tells whether a file has an index of a column. */
  public static boolean exists(HFileReader file, byte[] qualifier) {
    return file.hasMetaBlock(FileIndexFormat.root(qualifier));
  }

  /** Returns the number of entries. */
  public long entries() {
    return entries;
  }

  /**
   * Passes on the rows of all values within bounds, in the order of the values.
   *
   * @return false if the receiver has ended the search
   */
  public boolean search(ValueBounds bounds, Rows rows) throws IOException {
    for (int i = firstChunk(bounds); i < firstValues.size(); i++) {
      if (bounds.isBelow(firstValues.get(i))) {
        return true;
      }
      Decoder in = new Decoder(chunk(i));
      try {
        while (in.hasNext()) {
          in.next();
          if (bounds.isBelow(in.value)) {
            return true;
          }
          if (!bounds.isAbove(in.value) && !rows.found(in.row())) {
            return false;
          }
        }
      } catch (IndexOutOfBoundsException e) {
        throw damaged(file, e);
      }
    }
    return true;
  }

  /** Returns the last chunk that begins below the bounds, 0 if none does. */
  private int firstChunk(ValueBounds bounds) {
    int low = 0;
    int high = firstValues.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(firstValues.get(middle), bounds.low()) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return Math.max(0, low - 1);
  }

  private byte[] chunk(int number) throws IOException {
    return file.metaBlock(FileIndexFormat.chunk(qualifier, number))
        .orElseThrow(() -> damaged(file, new IndexOutOfBoundsException("chunk " + number)));
  }

  private static IOException damaged(HFileReader file, IndexOutOfBoundsException cause) {
    return new IOException("The index in store file " + file.path() + " is damaged", cause);
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

    int number(int length) {
      int number = 0;
      for (int i = 0; i < length; i++) {
        number = number << Byte.SIZE | bytes[at++] & 0xFF;
      }
      return number;
    }

    long longNumber() {
      return (long) number(Integer.BYTES) << Integer.SIZE | number(Integer.BYTES) & 0xFFFFFFFFL;
    }

    private int packed() {
      int number = 0;
      int shift = 0;
      int next;
      do {
        next = bytes[at++];
        number |= (next & 0x7F) << shift;
        shift += 7;
      } while (next < 0);
      return number;
    }

    /** Reads an entry. Its value is a new array, unless it is that of the entry before. */
    void next() {
      int shared = packed();
      int rest = packed();
      if (rest > 0 || shared != value.length) {
        byte[] next = Arrays.copyOf(value, Math.addExact(shared, rest));
        System.arraycopy(bytes, at, next, shared, rest);
        value = next;
      }
      at += rest;
      rowLength = packed();
      rowAt = at;
      at += rowLength;
      if (at > bytes.length) {
        throw new IndexOutOfBoundsException(at);
      }
    }

    byte[] row() {
      return Arrays.copyOfRange(bytes, rowAt, rowAt + rowLength);
    }
  }
}
