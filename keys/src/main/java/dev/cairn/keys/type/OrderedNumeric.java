package dev.cairn.keys.type;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Decimal numbers as {@code OrderedBytes.encodeNumeric} writes them, in SQLite 4's encoding of
 * keys. A number is ±0.d1d2d3… × 100^E with digits to the base 100 and d1 above 0.
 *
 * <p>E from 1 to 10 is part of the header. A greater one follows it as a varint, and so does -E if
 * E is not positive. Each digit is doubled; all but the last one have their lowest bit set, which
 * ends the number. All that follows the header is inverted if the number is negative, and so is the
 * varint of -E.
 */
final class OrderedNumeric {
  private static final int NEGATIVE_LARGE = 0x08;
  private static final int NEGATIVE_ZERO_EXPONENT = 0x13;
  private static final int NEGATIVE_SMALL = 0x14;
  private static final int ZERO = 0x15;
  private static final int POSITIVE_SMALL = 0x16;
  private static final int POSITIVE_ZERO_EXPONENT = 0x17;
  private static final int POSITIVE_LARGE = 0x22;
  private static final int LARGEST_MEDIUM_EXPONENT = 10;

  /** {@code OrderedBytes} rounds numbers with more digits. */
  private static final int MOST_DIGITS = 31;

  private OrderedNumeric() {}

  static void write(BigDecimal value, KeyOutput out, KeyType type) {
    if (value.signum() == 0) {
      out.put(ZERO);
      return;
    }
    if (value.stripTrailingZeros().precision() > MOST_DIGITS) {
      throw KeyType.refused(type, value);
    }
    CentesimalNumber number = CentesimalNumber.of(value);
    boolean negative = value.signum() < 0;
    int mask = negative ? 0xFF : 0;
    long exponent = number.exponent() + 1;
    if (exponent > LARGEST_MEDIUM_EXPONENT) {
      out.put(negative ? NEGATIVE_LARGE : POSITIVE_LARGE);
      Varint.write(exponent, mask, out);
    } else if (exponent > 0) {
      int medium = (int) exponent;
      out.put(negative ? NEGATIVE_ZERO_EXPONENT - medium : POSITIVE_ZERO_EXPONENT + medium);
    } else {
      out.put(negative ? NEGATIVE_SMALL : POSITIVE_SMALL);
      Varint.write(-exponent, mask ^ 0xFF, out);
    }
    int[] digits = number.digits();
    for (int i = 0; i < digits.length; i++) {
      int more = i + 1 < digits.length ? 1 : 0;
      out.put(digits[i] * 2 + more ^ mask);
    }
  }

  static BigDecimal read(KeyInput in) {
    int header = in.next();
    if (header == ZERO) {
      return BigDecimal.ZERO;
    }
    if (header < NEGATIVE_LARGE || header > POSITIVE_LARGE) {
      throw in.mismatch("not the header of a finite number");
    }
    boolean negative = header < ZERO;
    int mask = negative ? 0xFF : 0;
    long exponent =
        switch (header) {
          case NEGATIVE_LARGE, POSITIVE_LARGE -> Varint.read(mask, in);
          case NEGATIVE_SMALL, POSITIVE_SMALL -> -Varint.read(mask ^ 0xFF, in);
          default -> negative ? NEGATIVE_ZERO_EXPONENT - header : header - POSITIVE_ZERO_EXPONENT;
        };
    BigInteger unscaled = BigInteger.ZERO;
    int count = 0;
    int digit;
    do {
      digit = in.next() ^ mask;
      unscaled = unscaled.multiply(CentesimalNumber.BASE).add(BigInteger.valueOf(digit >>> 1));
      count++;
    } while ((digit & 1) != 0);
    return CentesimalNumber.decimal(negative, unscaled, count, exponent - 1, in);
  }
}
