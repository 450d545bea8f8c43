package dev.cairn.keys.type;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/**
 * Decimal numbers of any precision. Trailing zeros do not count: 1.0 and 1.00 are the same key, and
 * are read as 1. {@link BigInteger} and the smaller whole numbers are accepted, too.
 *
 * <p>A number is ±0.d1d2d3… × 10^e, where d1 is not 0. Its bytes are:
 *
 * <table>
 *   <caption>Bytes of a decimal number</caption>
 *   <tr><td>sign</td><td>01 if negative, 02 if zero (and nothing follows), 03 if positive</td></tr>
 *   <tr><td>exponent</td><td>128 + e in a byte if e is from -100 to 100; else 01 (negative) or FE,
 *       and e in four bytes with its sign bit flipped</td></tr>
 *   <tr><td>digits</td><td>two in a byte, as their number plus 1; then 00</td></tr>
 * </table>
 *
 * <p>All bytes after the sign are inverted if the number is negative.
 */
public record DecimalType() implements KeyType {
  private static final int NEGATIVE = 1;
  private static final int ZERO = 2;
  private static final int POSITIVE = 3;

  private static final int EXPONENT_OFFSET = 128;
  private static final int LARGEST_SHORT_EXPONENT = 100;
  private static final int LOW_EXPONENT = 0x01;
  private static final int HIGH_EXPONENT = 0xFE;

  @Override
  public Class<BigDecimal> valueClass() {
    return BigDecimal.class;
  }

  @Override
  public int widthBits() {
    return VARIABLE;
  }

  @Override
  public void write(Object value, KeyOutput out, boolean open) {
    BigDecimal number = decimal(this, value).stripTrailingZeros();
    if (number.signum() == 0) {
      out.put(ZERO);
      return;
    }
    out.put(number.signum() < 0 ? NEGATIVE : POSITIVE);
    int mask = number.signum() < 0 ? 0xFF : 0;
    String digits = number.unscaledValue().abs().toString();
    long exponent = (long) digits.length() - number.scale();
    if (exponent != (int) exponent) {
      throw KeyType.refused(this, value);
    }
    if (Math.abs(exponent) <= LARGEST_SHORT_EXPONENT) {
      out.put((int) exponent + EXPONENT_OFFSET ^ mask);
    } else {
      out.put((exponent < 0 ? LOW_EXPONENT : HIGH_EXPONENT) ^ mask);
      long flipped = exponent ^ Integer.MIN_VALUE;
      out.putNumber(mask == 0 ? flipped : ~flipped, Integer.BYTES);
    }
    for (int i = 0; i < digits.length(); i += 2) {
      int low = i + 1 < digits.length() ? digits.charAt(i + 1) - '0' : 0;
      out.put((digits.charAt(i) - '0') * 10 + low + 1 ^ mask);
    }
    out.put(mask);
  }

  @Override
  public Object read(KeyInput in, boolean open) {
    int sign = in.next();
    if (sign == ZERO) {
      return BigDecimal.ZERO;
    }
    if (sign != NEGATIVE && sign != POSITIVE) {
      throw in.mismatch("no sign of a decimal number");
    }
    int mask = sign == NEGATIVE ? 0xFF : 0;
    long exponent = exponent(in, mask);
    ByteArrayOutputStream digits = new ByteArrayOutputStream();
    for (int pair = in.next() ^ mask; pair != 0; pair = in.next() ^ mask) {
      if (pair > 100) {
        throw in.mismatch("not two digits");
      }
      digits.write('0' + (pair - 1) / 10);
      digits.write('0' + (pair - 1) % 10);
    }
    long scale = digits.size() - exponent;
    if (digits.size() == 0 || scale != (int) scale) {
      throw in.mismatch("no digits, or too large an exponent");
    }
    BigInteger unscaled = new BigInteger(digits.toString(StandardCharsets.US_ASCII));
    return new BigDecimal(sign == NEGATIVE ? unscaled.negate() : unscaled, (int) scale)
        .stripTrailingZeros();
  }

  private static long exponent(KeyInput in, int mask) {
    int first = in.next() ^ mask;
    if (first != LOW_EXPONENT && first != HIGH_EXPONENT) {
      return first - EXPONENT_OFFSET;
    }
    int stored = (int) in.nextNumber(Integer.BYTES);
    return (mask == 0 ? stored : ~stored) ^ Integer.MIN_VALUE;
  }

  /** Returns any of Java's exact numbers as a decimal one. */
  static BigDecimal decimal(KeyType type, Object value) {
    if (value instanceof BigDecimal decimal) {
      return decimal;
    }
    return value instanceof BigInteger integer
        ? new BigDecimal(integer)
        : BigDecimal.valueOf(Numbers.whole(type, value));
  }

  @Override
  public Object parse(String text) {
    return new BigDecimal(text);
  }

  @Override
  public String toString() {
    return "decimal";
  }
}
