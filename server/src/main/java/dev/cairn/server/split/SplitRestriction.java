package dev.cairn.server.split;

import dev.cairn.engine.cell.Bytes;
import java.util.Arrays;

/** Restricts the rows before which regions of a table may be split. Thread-safe. */
public sealed interface SplitRestriction {
  /** Returns the row to split before instead of {@code row}; {@code row} itself if allowed. */
  byte[] apply(byte[] row);

  /** Allows every row. */
  record None() implements SplitRestriction {
    @Override
    public byte[] apply(byte[] row) {
      return row;
    }
  }

  /**
   * Keeps rows with the same first bytes together.
   *
   * @param length the number of these bytes, from 1
   */
  record KeyPrefix(int length) implements SplitRestriction {
    @Override
    public byte[] apply(byte[] row) {
      return Arrays.copyOf(row, Math.min(length, row.length));
    }

    /**
     * Reads the length under {@code key}.
     *
     * @throws IllegalArgumentException naming the key, if the length is impossible
     */
    static KeyPrefix parse(String key, String length) {
      if (length.matches("[0-9]{1,5}") && Integer.parseInt(length) > 0) {
        return new KeyPrefix(Integer.parseInt(length));
      }
      throw new IllegalArgumentException(
          key + " must be the bytes of the prefix, 1 to 99999, not <" + length + ">");
    }
  }

  /**
   * Keeps rows together that are equal up to the first delimiter. Does not restrict rows without a
   * delimiter.
   *
   * @param delimiter at least one byte; not to be changed
   */
  record DelimitedKeyPrefix(byte[] delimiter) implements SplitRestriction {
    @Override
    public byte[] apply(byte[] row) {
      for (int i = 0; i + delimiter.length <= row.length; i++) {
        if (Arrays.equals(row, i, i + delimiter.length, delimiter, 0, delimiter.length)) {
          return Arrays.copyOf(row, i);
        }
      }
      return row;
    }

    /**
     * Reads the delimiter under {@code key}.
     *
     * @throws IllegalArgumentException naming the key, if there is none
     */
    static DelimitedKeyPrefix parse(String key, String delimiter) {
      if (delimiter.isEmpty()) {
        throw new IllegalArgumentException(
            key + " must be set to the delimiter that ends the" + " prefix");
      }
      return new DelimitedKeyPrefix(Bytes.utf8(delimiter));
    }
  }
}
