package dev.cairn.keys.type;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * The amount of a decimal number with digits to the base 100: d0 × 100^e + d1 × 100^(e-1) + …,
 * where neither the first nor the last digit is 0. Used once, by the writer that makes it.
 */
record CentesimalNumber(int[] digits, long exponent) {
  static final BigInteger BASE = BigInteger.valueOf(100);

  /** Returns the amount of a number that is not 0. */
  static CentesimalNumber of(BigDecimal value) {
    BigDecimal stripped = value.stripTrailingZeros();
    String text = stripped.unscaledValue().abs().toString();
    // Of the power of ten that the first decimal digit counts.
    long tens = (long) text.length() - 1 - stripped.scale();
    if (Math.floorMod(tens, 2) == 0) {
      text = "0" + text;
    }
    if (text.length() % 2 != 0) {
      text = text + "0";
    }
    int[] digits = new int[text.length() / 2];
    for (int i = 0; i < digits.length; i++) {
      digits[i] = (text.charAt(2 * i) - '0') * 10 + text.charAt(2 * i + 1) - '0';
    }
    return new CentesimalNumber(digits, Math.floorDiv(tens, 2L));
  }

  /** Returns the number with these digits, of which the first one counts 100^exponent. */
  static BigDecimal decimal(
      boolean negative, BigInteger digits, int count, long exponent, KeyInput in) {
    long scale = 2 * (count - 1 - exponent);
    if (scale != (int) scale) {
      throw in.mismatch("too large an exponent");
    }
    return new BigDecimal(negative ? digits.negate() : digits, (int) scale).stripTrailingZeros();
  }
}
