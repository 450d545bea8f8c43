package dev.cairn.keys.type;

/**
 * The type of a part of a key. It writes values as bytes whose unsigned order is the order of the
 * values, and reads them back. Immutable.
 *
 * <p>Bytes of one type are <em>prefix-free</em>: no value's bytes are the beginning of another
 * value's, so that the next part can follow. The exception is an <em>open</em> part, which ends an
 * ascending key: a string needs no terminator there.
 *
 * <p>{@code toString} returns the type as the text form of a format has it.
 */
public sealed interface KeyType
    permits BitsType,
        BooleanType,
        BytesType,
        DateType,
        DecimalType,
        FloatType,
        HashedType,
        IntegerType,
        OrderedType,
        PhoenixType,
        ReversedDigitsType,
        ReversedDomainType,
        StringType,
        TimestampType,
        UuidType {
  /** The width of types whose values differ in length. */
  int VARIABLE = -1;

  /** Returns the class of the values that {@link #read} returns. */
  Class<?> valueClass();

  /** Returns the width of all values in bits, or {@link #VARIABLE}. */
  int widthBits();

  /**
   * Writes a value. It accepts the {@link #valueClass}, and other classes where the type says so.
   *
   * @param open whether the part ends the key and needs no terminator
   * @throws IllegalArgumentException if the type does not have this value
   */
  void write(Object value, KeyOutput out, boolean open);

  /**
   * Reads a value.
   *
   * @param open whether the part ends the key and has no terminator
   * @throws KeyMismatchException if the type does not have these bytes
   */
  Object read(KeyInput in, boolean open);

  /** Returns a value of {@link #valueClass} as text, which {@link #parse} reads. */
  default String print(Object value) {
    return value.toString();
  }

  /**
   * Reads a value from text.
   *
   * @throws IllegalArgumentException if the text is not a value of this type
   */
  Object parse(String text);

  /** Returns whether the bytes sort as the values. If not, intervals of values are no ranges. */
  default boolean isOrdered() {
    return true;
  }

  /** Returns whether the bytes of an ascending part sort against the order of its values. */
  default boolean isReversed() {
    return false;
  }

  /**
   * Returns whether {@code null} is the least value, and sorts first in a descending part, too: SQL
   * has nulls first.
   */
  default boolean hasNullFirst() {
    return false;
  }

  /** Returns whether a value is written as {@code null}. */
  default boolean isNull(Object value) {
    return value == null;
  }

  /**
   * Returns whether a part of this type and order has to end the key, because nothing in its bytes
   * marks their end.
   */
  default boolean mustBeOpen(boolean descending) {
    return false;
  }

  /** Returns the least value that is not below the given one and that the type does not round. */
  default Object roundUp(Object value) {
    return value;
  }

  /**
   * Returns a value as a number, for buckets by modulo.
   *
   * @throws IllegalArgumentException if values of this type are no numbers
   */
  default long toNumber(Object value) {
    throw new IllegalArgumentException(this + " is not a number");
  }

  /** Returns the exception for a value that a type does not have. */
  static IllegalArgumentException refused(KeyType type, Object value) {
    String of = value == null ? "" : " of " + value.getClass().getSimpleName();
    return new IllegalArgumentException(type + " has no value " + value + of);
  }
}
