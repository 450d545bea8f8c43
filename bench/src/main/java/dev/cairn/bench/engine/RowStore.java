package dev.cairn.bench.engine;

import java.io.Closeable;
import java.io.IOException;

/** One side of the comparison: a store of rows, given by their numbers. Thread-safe. */
interface RowStore extends Closeable {
  /** Returns what one thread works with. */
  Session session();

  /** Waits until all writes are in files and no merging of them is due. */
  void settle() throws IOException;

  /** Merges all files. */
  void compact() throws IOException;

  /** Returns how many bytes the files of data take, without the log. */
  long fileBytes() throws IOException;

  /** One thread's way to the store. Not thread-safe. */
  interface Session extends Closeable {
    /** Writes one row. */
    void put(int row) throws IOException;

    /** Writes the rows {@code rows[0]} to {@code rows[count - 1]} in one call. */
    void putAll(int[] rows, int count) throws IOException;

    /** Reads one row, or finds that it is not there. */
    void get(int row, Taker taker) throws IOException;

    /** Reads so many rows, starting at one. */
    void scan(int fromRow, int rows, Taker taker) throws IOException;

    /** Reads all rows. */
    void scanAll(Taker taker) throws IOException;

    @Override
    void close();
  }
}
