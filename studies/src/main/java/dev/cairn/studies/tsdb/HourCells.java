package dev.cairn.studies.tsdb;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The cells of a row for an hour, in OpenTSDB's layout for whole numbers at whole seconds:
 *
 * <table>
 *   <caption>The cells</caption>
 *   <tr><td>cell</td><td>qualifier</td><td>value</td></tr>
 *   <tr><td>of a point</td><td>two bytes</td><td>the number in 1, 2, 4 or 8 bytes</td></tr>
 *   <tr><td>of several points</td><td>their qualifiers, by time</td><td>their values, then 00</td></tr>
 *   <tr><td>of appended points</td><td>05 00 00</td><td>qualifier and value of each</td></tr>
 * </table>
 *
 * <p>The first 12 bits of a qualifier are the seconds since the row's hour, the last 3 the length
 * of the value less 1; the bit between is for numbers with a point, which are not in this study.
 *
 * <p>A row may have a point several times: in a joined cell and in its own if it was written again,
 * or if a program that joins cells died before it deleted them. The newest cell has the right
 * value.
 */
final class HourCells {
  /** The qualifier of the cell to which points are appended. */
  static final byte[] APPENDED = {5, 0, 0};

  private static final int QUALIFIER = Short.BYTES;
  private static final int FLAG_BITS = 4;
  private static final int LENGTH_MASK = 7;
  private static final int FLOAT_FLAG = 8;

  private HourCells() {}

  /** Returns the qualifier of a point. */
  static byte[] qualifier(int second, long value) {
    return Bytes.toBytes((short) (second << FLAG_BITS | width(value) - 1));
  }

  /** Returns the value of a point's cell. */
  static byte[] value(long value) {
    return Arrays.copyOfRange(Bytes.toBytes(value), Long.BYTES - width(value), Long.BYTES);
  }

  /** Returns what is appended for a point. */
  static byte[] appended(int second, long value) {
    return Bytes.add(qualifier(second, value), value(value));
  }

  private static int width(long value) {
    if (value == (byte) value) {
      return Byte.BYTES;
    }
    if (value == (short) value) {
      return Short.BYTES;
    }
    return value == (int) value ? Integer.BYTES : Long.BYTES;
  }

  /**
   * Returns the values of an hour by their seconds.
   *
   * @throws IllegalArgumentException if a cell is none of these
   */
  static TreeMap<Integer, Long> points(Collection<Cell> cells) {
    // With the same timestamp, a cell of several points was joined from the others.
    List<Cell> oldestFirst =
        cells.stream()
            .sorted(
                Comparator.comparingLong((Cell cell) -> cell.getTimestamp())
                    .thenComparing(cell -> cell.getQualifierLength(), Comparator.reverseOrder()))
            .toList();
    TreeMap<Integer, Long> points = new TreeMap<>();
    oldestFirst.forEach(cell -> read(cell, points));
    return points;
  }

  private static void read(Cell cell, Map<Integer, Long> points) {
    byte[] qualifiers = CellUtil.cloneQualifier(cell);
    byte[] values = CellUtil.cloneValue(cell);
    if (Arrays.equals(qualifiers, APPENDED)) {
      readAppended(values, points);
      return;
    }
    if (qualifiers.length == 0 || qualifiers.length % QUALIFIER != 0) {
      throw new IllegalArgumentException("not a cell of points: " + cell);
    }
    int at = 0;
    for (int i = 0; i < qualifiers.length; i += QUALIFIER) {
      at = read(Bytes.toShort(qualifiers, i), values, at, points);
    }
  }

  private static void readAppended(byte[] values, Map<Integer, Long> points) {
    int at = 0;
    while (at < values.length) {
      at = read(Bytes.toShort(values, at), values, at + QUALIFIER, points);
    }
  }

  /** Reads a value. Returns where it ends. */
  private static int read(short qualifier, byte[] values, int at, Map<Integer, Long> points) {
    if ((qualifier & FLOAT_FLAG) != 0) {
      throw new IllegalArgumentException("not a whole number");
    }
    int length = (qualifier & LENGTH_MASK) + 1;
    points.put((qualifier & 0xFFFF) >>> FLAG_BITS, number(values, at, length));
    return at + length;
  }

  /** Returns the number whose value is this. */
  static long number(byte[] value) {
    return number(value, 0, value.length);
  }

  private static long number(byte[] bytes, int offset, int length) {
    long number = bytes[offset]; // with its sign
    for (int i = 1; i < length; i++) {
      number = number << Byte.SIZE | bytes[offset + i] & 0xFF;
    }
    return number;
  }

  /** Returns the qualifier of the cell of all points. */
  static byte[] joinedQualifier(TreeMap<Integer, Long> points) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    points.forEach((second, value) -> joined.writeBytes(qualifier(second, value)));
    return joined.toByteArray();
  }

  /** Returns the value of the cell of all points. */
  static byte[] joinedValue(TreeMap<Integer, Long> points) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    points.values().forEach(value -> joined.writeBytes(value(value)));
    if (points.size() > 1) {
      joined.write(0);
    }
    return joined.toByteArray();
  }
}
