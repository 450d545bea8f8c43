package dev.cairn.keys;

import dev.cairn.keys.hash.HashValue;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The values of a key by the names of their parts. The methods for a class throw {@link
 * ClassCastException} if the part has another one. Whole numbers of all widths are {@link Long}.
 */
public final class KeyValues {
  private final KeyFormat format;
  private final Object[] values;

  KeyValues(KeyFormat format, Object[] values) {
    this.format = format;
    this.values = values;
  }

  /**
   * Returns a value.
   *
   * @throws IllegalArgumentException if no part has this name
   */
  public Object get(String name) {
    return values[format.indexOf(name)];
  }

  /** Returns a string. */
  public String getString(String name) {
    return (String) get(name);
  }

  /** Returns a whole number. */
  public long getLong(String name) {
    return (long) get(name);
  }

  /** Returns a whole number that an {@code int} can hold, or throws {@link ArithmeticException}. */
  public int getInt(String name) {
    return Math.toIntExact(getLong(name));
  }

  /** Returns a number of a part of type double. */
  public double getDouble(String name) {
    return (double) get(name);
  }

  /** Returns a decimal number. */
  public BigDecimal getDecimal(String name) {
    return (BigDecimal) get(name);
  }

  /** Returns a boolean. */
  public boolean getBoolean(String name) {
    return (boolean) get(name);
  }

  /** Returns a time. */
  public Instant getInstant(String name) {
    return (Instant) get(name);
  }

  /** Returns a date. */
  public LocalDate getDate(String name) {
    return (LocalDate) get(name);
  }

  /** Returns a UUID. */
  public UUID getUuid(String name) {
    return (UUID) get(name);
  }

  /** Returns bytes, which must not be changed. */
  public byte[] getBytes(String name) {
    return (byte[]) get(name);
  }

  /** Returns the hash that a key has instead of a value. */
  public HashValue getHash(String name) {
    return (HashValue) get(name);
  }

  /** Returns the values in the order of the named parts, as {@link KeyFormat#encode} takes them. */
  public List<Object> asList() {
    return Collections.unmodifiableList(Arrays.asList(values));
  }

  /** Returns the values by name, in the order of the parts. */
  public Map<String, Object> asMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < values.length; i++) {
      map.put(format.valueParts().get(i).name(), values[i]);
    }
    return Collections.unmodifiableMap(map);
  }

  /** Returns names and values as {@link KeyFormat#print} does. */
  @Override
  public String toString() {
    return KeyText.print(format, this);
  }
}
