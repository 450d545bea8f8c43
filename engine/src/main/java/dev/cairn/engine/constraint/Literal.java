package dev.cairn.engine.constraint;

import java.math.BigDecimal;

/**
 * A value in the text of a rule, in the form in which its type compares values. Each type uses one
 * of the components.
 *
 * @param bytes the value of a type that is compared as bytes
 * @param whole the value of an integer type; also the value of {@code exact}, if it fits
 * @param real the value of a floating-point type
 * @param exact the value of a decimal type; null for other types
 */
record Literal(byte[] bytes, long whole, double real, BigDecimal exact) {
  private static final byte[] NONE = {};

  static Literal of(byte[] bytes) {
    return new Literal(bytes, 0, 0, null);
  }

  static Literal of(long whole) {
    return new Literal(NONE, whole, 0, null);
  }

  static Literal of(double real) {
    return new Literal(NONE, 0, real, null);
  }

  static Literal of(BigDecimal exact) {
    return new Literal(NONE, 0, 0, exact);
  }
}
