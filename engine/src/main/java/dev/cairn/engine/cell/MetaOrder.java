package dev.cairn.engine.cell;

import java.util.Arrays;

/**
 * The order of {@code hbase:meta}'s rows, which read {@code table,startKey,regionId}: by table,
 * then start key, then the rest, each by unsigned bytes. The table ends at the first comma, and the
 * region id begins after the last one; a row without commas is only a table and sorts before longer
 * rows of that table.
 */
final class MetaOrder extends CellComparator {
  private static final byte DELIMITER = ',';

  @Override
  public int compareRows(byte[] a, int aOffset, int aLength, byte[] b, int bOffset, int bLength) {
    int aEnd = aOffset + aLength;
    int bEnd = bOffset + bLength;
    int aFirst = first(a, aOffset, aEnd);
    int bFirst = first(b, bOffset, bEnd);
    int order =
        Arrays.compareUnsigned(
            a, aOffset, aFirst < 0 ? aEnd : aFirst, b, bOffset, bFirst < 0 ? bEnd : bFirst);
    if (order != 0) {
      return order;
    }
    if (aFirst < 0 || bFirst < 0) {
      return Boolean.compare(aFirst >= 0, bFirst >= 0);
    }
    int aLast = last(a, aFirst + 1, aEnd);
    int bLast = last(b, bFirst + 1, bEnd);
    order =
        Arrays.compareUnsigned(
            a, aFirst + 1, aLast < 0 ? aEnd : aLast, b, bFirst + 1, bLast < 0 ? bEnd : bLast);
    if (order != 0) {
      return order;
    }
    if (aLast < 0 || bLast < 0) {
      return Boolean.compare(aLast >= 0, bLast >= 0);
    }
    return Arrays.compareUnsigned(a, aLast + 1, aEnd, b, bLast + 1, bEnd);
  }

  /** Rows compare by parts whose ends are not known beforehand. */
  @Override
  public long rowPrefix(byte[] bytes, int offset, int length, int from) {
    return 0;
  }

  @Override
  public String storedName() {
    return "org.apache.hadoop.hbase.MetaCellComparator";
  }

  private static int first(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] == DELIMITER) {
        return i;
      }
    }
    return -1;
  }

  private static int last(byte[] bytes, int from, int to) {
    for (int i = to - 1; i >= from; i--) {
      if (bytes[i] == DELIMITER) {
        return i;
      }
    }
    return -1;
  }
}
