package dev.cairn.keys.type;

/** Conversions of values that are whole numbers. */
final class Numbers {
  private Numbers() {}

  /** Returns the value of one of Java's whole numbers. */
  static long whole(KeyType type, Object value) {
    if (value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte) {
      return ((Number) value).longValue();
    }
    throw KeyType.refused(type, value);
  }
}
