package dev.cairn.server.digest;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import java.math.BigInteger;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * Adds up the digests of rows, cell by cell. The hash covers keys and values, not tags or sequence
 * numbers. Not thread-safe.
 */
final class RowDigester {
  private static final int HASH_BYTES = 16;

  private final DigestOptions options;
  private final MessageDigest hasher;
  private final byte[] lengths = new byte[2 * Integer.BYTES];
  private final byte[] hash = new byte[HASH_BYTES];
  private long rows;
  private long cells;
  private long cellsOfRow;
  private long hashHigh;
  private long hashLow;
  private long recentSum;
  private BigInteger sum = BigInteger.ZERO;
  private byte[] currentRow = Bytes.EMPTY;
  private byte[] lastRow = Bytes.EMPTY;

  RowDigester(DigestOptions options) {
    this.options = options;
    try {
      this.hasher = MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Takes the next cell of the current row. */
  void cell(Cell cell) throws DoNotRetryIOException {
    if (cellsOfRow++ == 0) {
      if (currentRow.length != cell.rowLength()) {
        currentRow = new byte[cell.rowLength()];
      }
      System.arraycopy(cell.bytes(), cell.rowOffset(), currentRow, 0, currentRow.length);
      if (options.sums()) {
        add(cell);
      }
    }
    if (options.hashes()) {
      Bytes.putInt(lengths, 0, cell.keyLength());
      Bytes.putInt(lengths, Integer.BYTES, cell.valueLength());
      hasher.update(lengths);
      hasher.update(cell.bytes(), cell.keyOffset(), cell.keyLength());
      hasher.update(cell.bytes(), cell.valueOffset(), cell.valueLength());
    }
  }

  /** Ends the current row, which may have no cells. */
  void endRow() {
    if (cellsOfRow == 0) {
      return;
    }
    rows++;
    cells += cellsOfRow;
    cellsOfRow = 0;
    byte[] spare = lastRow;
    lastRow = currentRow;
    currentRow = spare;
    if (options.hashes()) {
      try {
        hasher.digest(hash, 0, HASH_BYTES);
      } catch (DigestException e) {
        throw new IllegalStateException(e);
      }
      hashHigh += Bytes.getLong(hash, 0);
      hashLow += Bytes.getLong(hash, Long.BYTES);
    }
  }

  private void add(Cell cell) throws DoNotRetryIOException {
    if (cell.valueLength() != Long.BYTES) {
      throw new DoNotRetryIOException(
          "row "
              + Bytes.toStringBinary(cell.row())
              + " has a value of "
              + cell.valueLength()
              + " bytes; only counters, which have 8 bytes, can be summed");
    }
    long value = Bytes.getLong(cell.bytes(), cell.valueOffset());
    long next = recentSum + value;
    if (((recentSum ^ next) & (value ^ next)) < 0) {
      sum = sum.add(BigInteger.valueOf(recentSum));
      next = value;
    }
    recentSum = next;
  }

  /** Returns the number of rows that have ended since {@link #take}. */
  long rows() {
    return rows;
  }

  /** Returns the last row that has ended and has cells. */
  byte[] lastRow() {
    return lastRow;
  }

  /** Returns the digest of the rows that have ended, and begins another. */
  RangeDigest take() {
    RangeDigest taken =
        new RangeDigest(rows, cells, hashHigh, hashLow, sum.add(BigInteger.valueOf(recentSum)));
    rows = 0;
    cells = 0;
    hashHigh = 0;
    hashLow = 0;
    recentSum = 0;
    sum = BigInteger.ZERO;
    return taken;
  }
}
