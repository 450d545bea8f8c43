package dev.cairn.keys;

import dev.cairn.keys.type.Text;
import java.util.Arrays;

/**
 * The first bytes of keys, some of which are free, as HBase's {@code FuzzyRowFilter} takes them.
 *
 * @param key the bytes; 0 where any byte matches
 * @param free 1 where any byte matches, and 0 elsewhere
 */
public record FuzzyKey(byte[] key, byte[] free) {
  /** Returns whether a key has these bytes. */
  public boolean matches(byte[] row) {
    if (row.length < key.length) {
      return false;
    }
    for (int i = 0; i < key.length; i++) {
      if (free[i] == 0 && row[i] != key[i]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FuzzyKey fuzzy
        && Arrays.equals(key, fuzzy.key)
        && Arrays.equals(free, fuzzy.free);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(key) + Arrays.hashCode(free);
  }

  @Override
  public String toString() {
    return Text.hex(key) + "/" + Text.hex(free);
  }
}
