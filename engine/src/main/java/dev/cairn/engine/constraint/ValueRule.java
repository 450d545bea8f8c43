package dev.cairn.engine.constraint;

import java.util.List;
import java.util.Optional;

/**
 * One rule for the values of a column. Rules that follow the type's rule get only values of that
 * type. Immutable.
 */
sealed interface ValueRule {
  /** Tells whether a value satisfies the rule. */
  boolean accepts(byte[] value, int offset, int length);

  /** Returns what is wrong with a value that breaks the rule, if that says more than the rule. */
  default Optional<String> problem(byte[] value, int offset, int length) {
    return Optional.empty();
  }

  /** Tells whether every value that satisfies this rule satisfies {@code other}. */
  default boolean implies(ValueRule other) {
    return false;
  }

  /** The value is of a type. */
  record OfType(ValueType type) implements ValueRule {
    @Override
    public boolean accepts(byte[] value, int offset, int length) {
      return type.accepts(value, offset, length);
    }

    @Override
    public Optional<String> problem(byte[] value, int offset, int length) {
      return type.lengthText()
          .map(
              text ->
                  "it has "
                      + ValueType.bytes(length)
                      + "; "
                      + (type == ValueType.INT ? "an " : "a ")
                      + type
                      + " has "
                      + text);
    }

    @Override
    public boolean implies(ValueRule other) {
      return other instanceof NotEmpty && type != ValueType.ANY && type != ValueType.UTF8;
    }
  }

  /** The value is not empty. */
  record NotEmpty() implements ValueRule {
    @Override
    public boolean accepts(byte[] value, int offset, int length) {
      return length > 0;
    }
  }

  /**
   * The value is in a range. NaN is in none.
   *
   * @param least the lowest value; null for none
   * @param most the highest value; null for none
   */
  record InRange(ValueType type, Literal least, Literal most) implements ValueRule {
    @Override
    public boolean accepts(byte[] value, int offset, int length) {
      return (least == null || isFrom(type.compare(value, offset, length, least)))
          && (most == null || type.compare(value, offset, length, most) <= 0);
    }

    private static boolean isFrom(int comparison) {
      return comparison >= 0 && comparison != ValueType.UNORDERED;
    }
  }

  /** The value has a length: characters of UTF-8 text, otherwise bytes. */
  record OfLength(ValueType type, int least, int most) implements ValueRule {
    @Override
    public boolean accepts(byte[] value, int offset, int length) {
      int size = type.length(value, offset, length);
      return size >= least && size <= most;
    }

    @Override
    public Optional<String> problem(byte[] value, int offset, int length) {
      return Optional.of("it has " + type.sizeText(type.length(value, offset, length)));
    }

    @Override
    public boolean implies(ValueRule other) {
      // Bytes that are not UTF-8 have no length.
      return other instanceof OfType own && own.type == type && type == ValueType.UTF8
          || other instanceof NotEmpty && least > 0;
    }
  }

  /** The whole text matches a pattern. */
  record Matches(TextPattern pattern) implements ValueRule {
    @Override
    public boolean accepts(byte[] value, int offset, int length) {
      return pattern.matches(value, offset, length);
    }

    @Override
    public boolean implies(ValueRule other) {
      return other instanceof OfType own && own.type == ValueType.UTF8;
    }
  }

  /** The value is one of several. */
  record OneOf(ValueType type, List<Literal> values) implements ValueRule {
    @Override
    public boolean accepts(byte[] value, int offset, int length) {
      for (Literal each : values) {
        if (type.compare(value, offset, length, each) == 0) {
          return true;
        }
      }
      return false;
    }
  }
}
