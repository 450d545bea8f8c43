package dev.cairn.keys.type;

/** Unsigned numbers of one to nine bytes that sort by value, as in SQLite 4. */
final class Varint {
  private static final int LARGEST_IN_ONE = 240;
  private static final int LARGEST_IN_TWO = 2287;
  private static final int LARGEST_IN_THREE = 67823;
  private static final int TWO = 241;
  private static final int THREE = 249;
  private static final int FOUR = 250;

  private Varint() {}

  /** Writes a number from 0 on, with each byte changed by the mask. */
  static void write(long value, int mask, KeyOutput out) {
    if (value <= LARGEST_IN_ONE) {
      out.put((int) value ^ mask);
    } else if (value <= LARGEST_IN_TWO) {
      out.put((int) ((value - LARGEST_IN_ONE) >>> Byte.SIZE) + TWO ^ mask);
      out.put((int) (value - LARGEST_IN_ONE) ^ mask);
    } else if (value <= LARGEST_IN_THREE) {
      out.put(THREE ^ mask);
      out.putNumber(masked(value - LARGEST_IN_TWO - 1, mask), 2);
    } else {
      int width = (Long.SIZE - Long.numberOfLeadingZeros(value) + Byte.SIZE - 1) / Byte.SIZE;
      out.put(FOUR + width - 3 ^ mask);
      out.putNumber(masked(value, mask), width);
    }
  }

  static long read(int mask, KeyInput in) {
    int first = in.next() ^ mask;
    if (first <= LARGEST_IN_ONE) {
      return first;
    }
    if (first < THREE) {
      return LARGEST_IN_ONE + ((long) (first - TWO) << Byte.SIZE) + (in.next() ^ mask);
    }
    int width = first == THREE ? 2 : first - FOUR + 3;
    long stored = masked(in.nextNumber(width), mask);
    long value = stored & (width == Long.BYTES ? -1L : (1L << width * Byte.SIZE) - 1);
    return first == THREE ? value + LARGEST_IN_TWO + 1 : value;
  }

  private static long masked(long value, int mask) {
    return mask == 0 ? value : ~value;
  }
}
