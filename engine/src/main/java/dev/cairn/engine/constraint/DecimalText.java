package dev.cairn.engine.constraint;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/**
 * Checks and compares decimal numbers in text: an optional sign, digits, an optional fraction, an
 * optional exponent ({@code -12.50}, {@code 3e8}). Their length is limited, because the time of a
 * comparison grows faster than the length.
 */
final class DecimalText {
  /** The maximum length of a number, bytes. */
  static final int LENGTH_MAX = 1000;

  /** The maximum length of numbers that are compared as {@code long}. */
  private static final int LONG_DIGITS_MAX = 18;

  private static final int EXPONENT_DIGITS_MAX = 9;

  private DecimalText() {}

  /** Tells whether the bytes are a number. */
  static boolean isNumber(byte[] bytes, int offset, int length) {
    if (length > LENGTH_MAX) {
      return false;
    }
    int end = offset + length;
    int at = afterSign(bytes, offset, end);
    int digits = afterDigits(bytes, at, end);
    if (digits == at) {
      return false;
    }
    at = digits;
    if (at < end && bytes[at] == '.') {
      digits = afterDigits(bytes, at + 1, end);
      if (digits == at + 1) {
        return false;
      }
      at = digits;
    }
    if (at < end && (bytes[at] == 'e' || bytes[at] == 'E')) {
      int from = afterSign(bytes, at + 1, end);
      digits = afterDigits(bytes, from, end);
      return digits == end && digits > from && digits - from <= EXPONENT_DIGITS_MAX;
    }
    return at == end;
  }

  private static int afterSign(byte[] bytes, int at, int end) {
    return at < end && (bytes[at] == '-' || bytes[at] == '+') ? at + 1 : at;
  }

  private static int afterDigits(byte[] bytes, int from, int end) {
    int at = from;
    while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
      at++;
    }
    return at;
  }

  /** Compares a number with a literal: negative, 0 or positive. */
  static int compare(byte[] bytes, int offset, int length, BigDecimal literal, long whole) {
    int end = offset + length;
    int from = afterSign(bytes, offset, end);
    if (end - from <= LONG_DIGITS_MAX && afterDigits(bytes, from, end) == end && isLong(literal)) {
      long value = 0;
      for (int at = from; at < end; at++) {
        value = value * 10 + bytes[at] - '0';
      }
      return Long.compare(bytes[offset] == '-' ? -value : value, whole);
    }
    return number(bytes, offset, length).compareTo(literal);
  }

  /** Tells whether the {@code long} of a literal is its exact value. */
  private static boolean isLong(BigDecimal literal) {
    return literal.scale() == 0 && literal.precision() <= LONG_DIGITS_MAX;
  }

  private static BigDecimal number(byte[] bytes, int offset, int length) {
    return new BigDecimal(new String(bytes, offset, length, StandardCharsets.US_ASCII));
  }

  /** Parses a number. */
  static Literal literal(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (!isNumber(bytes, 0, bytes.length)) {
      throw new IllegalArgumentException("'" + text + "' is not a decimal number");
    }
    BigDecimal exact = new BigDecimal(text);
    return new Literal(bytes, isLong(exact) ? exact.longValue() : 0, 0, exact);
  }
}
