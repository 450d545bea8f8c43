package dev.cairn.server.traffic.heatmap;

import java.util.Arrays;

/**
 * Places the rows of a range on a line, as if its traffic were even. Rows are numbers whose digits
 * are the bytes after the prefix that all rows of the range have in common: digits of base 10 or 16
 * if both ends of the range are written so, otherwise of base 256.
 */
final class KeyScale {
  /** More digits do not fit into the precision of a double of base 256. */
  private static final int DIGITS = 7;

  private final int prefix;
  private final int base;
  private final double low;
  private final double high;

  /**
   * Creates the scale of a range.
   *
   * @param low its first row
   * @param end the row after its last
   */
  KeyScale(byte[] low, byte[] end) {
    int differ = Arrays.mismatch(low, end);
    this.prefix = differ < 0 ? low.length : differ;
    this.base = Math.max(base(low), base(end));
    this.low = number(low);
    this.high = number(end);
  }

  /** Returns the place of a row: 0 at the first row of the range or before it, 1 at its end. */
  double place(byte[] row) {
    if (high <= low) {
      return 0;
    }
    return Math.min(1, Math.max(0, (number(row) - low) / (high - low)));
  }

  /** Tells whether the rows of the range cannot be distinguished. */
  boolean isPoint() {
    return high <= low;
  }

  private int base(byte[] key) {
    int found = 10;
    for (int i = prefix; i < Math.min(key.length, prefix + DIGITS); i++) {
      int c = key[i];
      boolean isDecimal = c >= '0' && c <= '9';
      boolean isHex = isDecimal || c >= 'a' && c <= 'f';
      boolean isEnd = c == 0 && i == key.length - 1; // the row after one of digits
      if (!isHex && !isEnd) {
        return 256;
      }
      found = isDecimal || isEnd ? found : 16;
    }
    return found;
  }

  private double number(byte[] key) {
    double number = 0;
    double unit = 1;
    for (int i = prefix; i < Math.min(key.length, prefix + DIGITS); i++) {
      unit /= base;
      number += unit * digit(key[i]);
    }
    return number;
  }

  private int digit(byte value) {
    int c = value & 0xff;
    if (base == 256) {
      return c;
    }
    int digit = c < 'a' ? c - '0' : c - 'a' + 10;
    return Math.max(0, Math.min(base - 1, digit));
  }
}
