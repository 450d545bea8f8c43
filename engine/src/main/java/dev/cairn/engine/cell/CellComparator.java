package dev.cairn.engine.cell;

import java.util.Arrays;
import java.util.Comparator;

/**
 * The order of cells: row, family and qualifier ascending by unsigned bytes, timestamp descending,
 * type descending by code, sequence number descending. Stateless; any number of threads.
 *
 * <p>Rows of {@code hbase:meta} are compared by their parts (table, start key, region id), which
 * differs from byte order when a start key holds bytes below the comma; so there are two orders,
 * and every store has one of them.
 */
public abstract sealed class CellComparator implements Comparator<Cell>
    permits CellComparator.UserOrder, MetaOrder {
  /** The order of all tables but {@code hbase:meta}. */
  public static final CellComparator USER = new UserOrder();

  /** The order of {@code hbase:meta}. */
  public static final CellComparator META = new MetaOrder();

  /** The end of a key: timestamp and type. */
  private static final int VERSION_SIZE = 9;

  /** The beginning of a key. */
  private static final int ROW_LENGTH_SIZE = 2;

  /** Compares two rows. */
  public abstract int compareRows(
      byte[] a, int aOffset, int aLength, byte[] b, int bOffset, int bLength);

  /**
   * Returns eight bytes of a row, starting at index {@code from}, as an unsigned number. Of two
   * rows with equal bytes before, the one with the smaller number is the smaller one; equal numbers
   * leave the order open. Always 0 in an order that does not compare bytes.
   */
  public abstract long rowPrefix(byte[] bytes, int offset, int length, int from);

  /** Returns the class name under which an HFile's trailer names this order. */
  public abstract String storedName();

  /** Compares two whole rows. */
  public final int compareRows(byte[] a, byte[] b) {
    return compareRows(a, 0, a.length, b, 0, b.length);
  }

  /** Compares a cell's row with {@code row}. */
  public final int compareRow(Cell cell, byte[] row) {
    return compareRows(cell.bytes(), cell.rowOffset(), cell.rowLength(), row, 0, row.length);
  }

  /** Compares the rows of two cells. */
  public final int compareRows(Cell a, Cell b) {
    return compareRows(
        a.bytes(), a.rowOffset(), a.rowLength(), b.bytes(), b.rowOffset(), b.rowLength());
  }

  /** Compares family and qualifier of two cells, whatever their rows. */
  public final int compareColumns(Cell a, Cell b) {
    int families =
        Arrays.compareUnsigned(
            a.bytes(),
            a.familyOffset(),
            a.familyOffset() + a.familyLength(),
            b.bytes(),
            b.familyOffset(),
            b.familyOffset() + b.familyLength());
    if (families != 0) {
      return families;
    }
    return Arrays.compareUnsigned(
        a.bytes(),
        a.qualifierOffset(),
        a.qualifierOffset() + a.qualifierLength(),
        b.bytes(),
        b.qualifierOffset(),
        b.qualifierOffset() + b.qualifierLength());
  }

  /** Compares all but the sequence number. */
  public int compareKeys(Cell a, Cell b) {
    int order = compareRows(a, b);
    if (order != 0) {
      return order;
    }
    order = compareColumns(a, b);
    if (order != 0) {
      return order;
    }
    return compareVersions(a, b);
  }

  private static int compareVersions(Cell a, Cell b) {
    int order = Long.compare(b.timestamp(), a.timestamp());
    return order != 0 ? order : b.typeCode() - a.typeCode();
  }

  @Override
  public final int compare(Cell a, Cell b) {
    int order = compareKeys(a, b);
    return order != 0 ? order : Long.compare(b.sequence(), a.sequence());
  }

  /** Byte order of rows. */
  static final class UserOrder extends CellComparator {
    /**
     * Compares row, family and qualifier, which lie side by side after their lengths: one search
     * for the first difference decides, unless it is in a length.
     */
    @Override
    public int compareKeys(Cell a, Cell b) {
      byte[] aBytes = a.bytes();
      byte[] bBytes = b.bytes();
      int aKey = a.keyOffset();
      int bKey = b.keyOffset();
      int aLength = a.keyLength() - VERSION_SIZE;
      int bLength = b.keyLength() - VERSION_SIZE;
      int at = Arrays.mismatch(aBytes, aKey, aKey + aLength, bBytes, bKey, bKey + bLength);
      if (at < 0) {
        return compareVersions(a, b);
      }
      if (at < ROW_LENGTH_SIZE || at == ROW_LENGTH_SIZE + a.rowLength()) {
        return super.compareKeys(a, b);
      }
      if (at >= aLength || at >= bLength) {
        // One qualifier begins with all of the other.
        return aLength - bLength;
      }
      return (aBytes[aKey + at] & 0xFF) - (bBytes[bKey + at] & 0xFF);
    }

    @Override
    public int compareRows(byte[] a, int aOffset, int aLength, byte[] b, int bOffset, int bLength) {
      return Arrays.compareUnsigned(a, aOffset, aOffset + aLength, b, bOffset, bOffset + bLength);
    }

    @Override
    public long rowPrefix(byte[] bytes, int offset, int length, int from) {
      if (length - from >= Long.BYTES) {
        return Bytes.getLong(bytes, offset + from);
      }
      long prefix = 0;
      for (int i = from; i < length; i++) {
        prefix |= (bytes[offset + i] & 0xFFL) << (Long.SIZE - Byte.SIZE * (i - from + 1));
      }
      return prefix;
    }

    @Override
    public String storedName() {
      return "org.apache.hadoop.hbase.CellComparatorImpl";
    }
  }
}
