package dev.cairn.server.request;

import java.util.Arrays;

/** Arrays that hold the puts of one group at a time. One thread. */
final class PutArrays {
  int[] indexes = new int[16];
  int[] ends = new int[16];
  int[] rowOffsets = new int[16];
  int[] rowLengths = new int[16];

  /** Makes room for a put after {@code size} others. */
  void reserve(int size) {
    if (size == indexes.length) {
      indexes = Arrays.copyOf(indexes, size * 2);
      ends = Arrays.copyOf(ends, size * 2);
      rowOffsets = Arrays.copyOf(rowOffsets, size * 2);
      rowLengths = Arrays.copyOf(rowLengths, size * 2);
    }
  }
}
