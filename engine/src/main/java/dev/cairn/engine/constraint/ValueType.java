package dev.cairn.engine.constraint;

import dev.cairn.engine.cell.BinaryText;
import dev.cairn.engine.cell.Bytes;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The types of values: the encodings of HBase's {@code Bytes}, and text. */
enum ValueType {
  /** Any bytes; the type of a column without a type. */
  ANY(-1),
  /** A big-endian number of two bytes. */
  SHORT(Short.BYTES),
  /** A big-endian number of four bytes. */
  INT(Integer.BYTES),
  /** A big-endian number of eight bytes, the encoding of counters. */
  LONG(Long.BYTES),
  /** An IEEE 754 number of four bytes. */
  FLOAT(Float.BYTES),
  /** An IEEE 754 number of eight bytes. */
  DOUBLE(Double.BYTES),
  /** One byte: 0 is false, any other value is true. */
  BOOLEAN(1),
  /** A {@link BigDecimal}: a scale of four bytes, and the digits as a {@link BigInteger}. */
  DECIMAL(-1),
  /** Text in UTF-8. */
  UTF8(-1),
  /** A decimal number as text. */
  NUMBER(-1);

  /** The result of comparing a value that has no order, such as NaN. */
  static final int UNORDERED = 2;

  private static final int DECIMAL_BYTES_MAX = 1000;

  /** The length of each value, bytes; -1 if values differ in length. */
  private final int bytes;

  ValueType(int bytes) {
    this.bytes = bytes;
  }

  /**
   * Returns the type with a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static ValueType named(String name) {
    for (ValueType type : values()) {
      if (type != ANY && type.toString().equals(name.toLowerCase(Locale.ROOT))) {
        return type;
      }
    }
    throw new IllegalArgumentException(
        "'"
            + name
            + "' is no type; types are "
            + Stream.of(values())
                .filter(type -> type != ANY)
                .map(ValueType::toString)
                .collect(Collectors.joining(", ")));
  }

  /** Tells whether values are text, to which patterns apply. */
  boolean isText() {
    return this == UTF8 || this == NUMBER;
  }

  /** Tells whether values may differ in length, so that {@code length} applies to them. */
  boolean hasLength() {
    return isText() || this == ANY;
  }

  /** Tells whether values have an order, so that {@code range} applies to them. */
  boolean hasOrder() {
    return this != ANY && this != BOOLEAN;
  }

  /** Returns the length that {@code length} compares: characters of text, otherwise bytes. */
  int length(byte[] value, int offset, int length) {
    return this == UTF8 ? Utf8.length(value, offset, length) : length;
  }

  /** Returns a length that {@link #length} returns with its unit. */
  String sizeText(int length) {
    return this == UTF8 ? length + (length == 1 ? " character" : " characters") : bytes(length);
  }

  /** Returns a number of bytes with its unit. */
  static String bytes(int length) {
    return length + (length == 1 ? " byte" : " bytes");
  }

  /** Returns the lengths of all values, bytes, for messages; empty for text and any bytes. */
  Optional<String> lengthText() {
    if (this == DECIMAL) {
      return Optional.of(
          (Integer.BYTES + 1) + " to " + DECIMAL_BYTES_MAX + ", as Bytes.toBytes writes it");
    }
    return bytes < 0 ? Optional.empty() : Optional.of(bytes + ", as Bytes.toBytes writes it");
  }

  /** Tells whether the bytes are a value of the type. */
  boolean accepts(byte[] value, int offset, int length) {
    return switch (this) {
      case ANY -> true;
      case DECIMAL -> length > Integer.BYTES && length <= DECIMAL_BYTES_MAX;
      case UTF8 -> Utf8.length(value, offset, length) != Utf8.INVALID;
      case NUMBER -> DecimalText.isNumber(value, offset, length);
      default -> length == bytes;
    };
  }

  /**
   * Compares a value of the type with a literal: -1, 0, 1 or {@link #UNORDERED}. Zeros are equal,
   * whatever their sign.
   */
  int compare(byte[] value, int offset, int length, Literal literal) {
    return switch (this) {
      case SHORT -> Long.compare((short) Bytes.getUnsignedShort(value, offset), literal.whole());
      case INT -> Long.compare(Bytes.getInt(value, offset), literal.whole());
      case LONG -> Long.compare(Bytes.getLong(value, offset), literal.whole());
      case BOOLEAN -> Long.compare(value[offset] == 0 ? 0 : 1, literal.whole());
      case FLOAT -> compare(Float.intBitsToFloat(Bytes.getInt(value, offset)), literal.real());
      case DOUBLE -> compare(Double.longBitsToDouble(Bytes.getLong(value, offset)), literal.real());
      case DECIMAL -> decimal(value, offset, length).compareTo(literal.exact());
      case NUMBER -> DecimalText.compare(value, offset, length, literal.exact(), literal.whole());
      case ANY, UTF8 -> {
        byte[] other = literal.bytes();
        yield Integer.signum(
            Arrays.compareUnsigned(value, offset, offset + length, other, 0, other.length));
      }
    };
  }

  /** Tells whether the first literal is greater than the second. */
  boolean isAfter(Literal first, Literal second) {
    return switch (this) {
      case FLOAT, DOUBLE -> first.real() > second.real();
      case DECIMAL, NUMBER -> first.exact().compareTo(second.exact()) > 0;
      case ANY, UTF8 -> Arrays.compareUnsigned(first.bytes(), second.bytes()) > 0;
      default -> first.whole() > second.whole();
    };
  }

  private static int compare(double value, double literal) {
    return value < literal ? -1 : value > literal ? 1 : value == literal ? 0 : UNORDERED;
  }

  private static BigDecimal decimal(byte[] value, int offset, int length) {
    return new BigDecimal(
        new BigInteger(value, offset + Integer.BYTES, length - Integer.BYTES),
        Bytes.getInt(value, offset));
  }

  /**
   * Parses a value in the text of a rule.
   *
   * @param quoted whether it was in quotes
   * @throws IllegalArgumentException if it is not a value of the type
   */
  Literal literal(String text, boolean quoted) {
    if (text.isEmpty() && !quoted) {
      throw new IllegalArgumentException("a value is missing");
    }
    boolean needsQuotes = this == ANY || this == UTF8;
    if (needsQuotes && !quoted) {
      throw new IllegalArgumentException("the text " + text + " must be in quotes: '" + text + "'");
    }
    if (!needsQuotes && quoted) {
      throw new IllegalArgumentException("a value of type " + this + " has no quotes");
    }
    return switch (this) {
      case ANY -> Literal.of(BinaryText.parse(text));
      case UTF8 -> Literal.of(Bytes.utf8(text));
      case SHORT -> whole(text, Short.MIN_VALUE, Short.MAX_VALUE);
      case INT -> whole(text, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case LONG -> whole(text, Long.MIN_VALUE, Long.MAX_VALUE);
      case BOOLEAN -> truth(text);
      // A value 0.1 of type float is not the double 0.1.
      case FLOAT -> finite(Float.parseFloat(number(text)), text);
      case DOUBLE -> finite(Double.parseDouble(number(text)), text);
      case DECIMAL, NUMBER -> DecimalText.literal(text);
    };
  }

  private Literal whole(String text, long least, long most) {
    BigDecimal exact = DecimalText.literal(text).exact();
    if (exact.scale() != 0
        || exact.compareTo(BigDecimal.valueOf(least)) < 0
        || exact.compareTo(BigDecimal.valueOf(most)) > 0) {
      throw new IllegalArgumentException("'" + text + "' is not a whole number of type " + this);
    }
    return Literal.of(exact.longValueExact());
  }

  private static Literal truth(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> Literal.of(1);
      case "false" -> Literal.of(0);
      default -> throw new IllegalArgumentException("'" + text + "' is neither true nor false");
    };
  }

  private static String number(String text) {
    DecimalText.literal(text);
    return text;
  }

  private Literal finite(double value, String text) {
    if (Double.isInfinite(value)) {
      throw new IllegalArgumentException("'" + text + "' is too large for type " + this);
    }
    return Literal.of(value);
  }

  /** Returns a number in readable form; empty for values that are readable as bytes. */
  Optional<String> readable(byte[] value, int offset, int length) {
    if (!accepts(value, offset, length)) {
      return Optional.empty();
    }
    return switch (this) {
      case SHORT -> Optional.of("" + (short) Bytes.getUnsignedShort(value, offset));
      case INT -> Optional.of("" + Bytes.getInt(value, offset));
      case LONG -> Optional.of("" + Bytes.getLong(value, offset));
      case FLOAT -> Optional.of("" + Float.intBitsToFloat(Bytes.getInt(value, offset)));
      case DOUBLE -> Optional.of("" + Double.longBitsToDouble(Bytes.getLong(value, offset)));
      case BOOLEAN -> Optional.of("" + (value[offset] != 0));
      // In this form the exponent adds no zeros.
      case DECIMAL -> Optional.of(decimal(value, offset, length).toString());
      default -> Optional.empty();
    };
  }

  /** Returns the name of the type in rules. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
