package dev.cairn.keys.type;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Phoenix's decimal numbers: a byte for sign and exponent, then digits to the base 100. A positive
 * number has 193 + exponent, and digits plus 1; a negative one has 62 - exponent, digits as 101
 * less the digit, and 102 at its end; zero is 128 alone. 00 ends them all, unless the key ends.
 */
final class PhoenixDecimal {
  private static final int ZERO = 0x80;
  private static final int POSITIVE_EXPONENT = 193;
  private static final int NEGATIVE_EXPONENT = 62;
  private static final int NEGATIVE_DIGIT = 101;
  private static final int NEGATIVE_END = 102;
  private static final int LARGEST_EXPONENT = 61;
  private static final int MOST_DIGITS = 38;

  private PhoenixDecimal() {}

  static void write(BigDecimal value, KeyOutput out, boolean open, KeyType type) {
    Terminated.write(bytes(value, type), out, open, type);
  }

  private static byte[] bytes(BigDecimal value, KeyType type) {
    if (value.signum() == 0) {
      return new byte[] {(byte) ZERO};
    }
    CentesimalNumber number = CentesimalNumber.of(value);
    if (Math.abs(number.exponent()) > LARGEST_EXPONENT
        || value.stripTrailingZeros().precision() > MOST_DIGITS) {
      throw KeyType.refused(type, value);
    }
    int exponent = (int) number.exponent();
    boolean negative = value.signum() < 0;
    int[] digits = number.digits();
    byte[] bytes = new byte[digits.length + (negative ? 2 : 1)];
    bytes[0] = (byte) (negative ? NEGATIVE_EXPONENT - exponent : POSITIVE_EXPONENT + exponent);
    for (int i = 0; i < digits.length; i++) {
      bytes[i + 1] = (byte) (negative ? NEGATIVE_DIGIT - digits[i] : digits[i] + 1);
    }
    if (negative) {
      bytes[bytes.length - 1] = NEGATIVE_END;
    }
    return bytes;
  }

  static BigDecimal read(KeyInput in, boolean open) {
    byte[] bytes = Terminated.read(in, open);
    if (bytes.length == 1 && bytes[0] == (byte) ZERO) {
      return BigDecimal.ZERO;
    }
    boolean negative = bytes.length > 0 && bytes[0] >= 0;
    int end = bytes.length - (negative ? 1 : 0);
    if (end < 2 || negative && bytes[end] != NEGATIVE_END) {
      throw in.mismatch("not a decimal number of Phoenix");
    }
    int first = bytes[0] & 0xFF;
    int exponent = negative ? NEGATIVE_EXPONENT - first : first - POSITIVE_EXPONENT;
    BigInteger digits = BigInteger.ZERO;
    for (int i = 1; i < end; i++) {
      int digit = negative ? NEGATIVE_DIGIT - bytes[i] : bytes[i] - 1;
      if (digit < 0 || digit > 99) {
        throw in.mismatch("not two digits");
      }
      digits = digits.multiply(CentesimalNumber.BASE).add(BigInteger.valueOf(digit));
    }
    return CentesimalNumber.decimal(negative, digits, end - 1, exponent, in);
  }
}
