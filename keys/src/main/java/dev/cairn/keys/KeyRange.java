package dev.cairn.keys;

import dev.cairn.keys.type.Text;
import java.util.Arrays;

/**
 * An interval of keys.
 *
 * @param start the first key; empty for the beginning of the table
 * @param stop the key after the last one; empty for the end of the table
 */
public record KeyRange(byte[] start, byte[] stop) implements Comparable<KeyRange> {
  /** Returns whether a key is in the interval. */
  public boolean contains(byte[] key) {
    return Arrays.compareUnsigned(start, key) <= 0
        && (stop.length == 0 || Arrays.compareUnsigned(key, stop) < 0);
  }

  /** Returns whether no key is in the interval. */
  boolean isEmpty() {
    return stop.length > 0 && Arrays.compareUnsigned(start, stop) >= 0;
  }

  /** Compares the first keys, then the last ones. */
  @Override
  public int compareTo(KeyRange other) {
    int order = Arrays.compareUnsigned(start, other.start);
    if (order != 0 || Arrays.equals(stop, other.stop)) {
      return order;
    }
    if (stop.length == 0 || other.stop.length == 0) {
      return stop.length == 0 ? 1 : -1;
    }
    return Arrays.compareUnsigned(stop, other.stop);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyRange range
        && Arrays.equals(start, range.start)
        && Arrays.equals(stop, range.stop);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(start) + Arrays.hashCode(stop);
  }

  @Override
  public String toString() {
    return "[" + Text.hex(start) + ", " + Text.hex(stop) + ")";
  }
}
