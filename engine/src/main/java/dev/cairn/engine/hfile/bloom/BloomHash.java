package dev.cairn.engine.hfile.bloom;

import dev.cairn.engine.cell.Bytes;

/**
 * Austin Appleby's MurmurHash 2 in the variant of HBase's filters: the one to three bytes after the
 * last group of four are sign-extended.
 */
final class BloomHash {
  /** The number under which a filter's meta block names this hash. */
  static final int MURMUR = 1;

  private static final int M = 0x5bd1e995;

  private BloomHash() {}

  static int hash(byte[] bytes, int offset, int length, int seed) {
    int h = seed ^ length;
    int tail = offset + (length & ~3);
    for (int i = offset; i < tail; i += 4) {
      int k = Integer.reverseBytes(Bytes.getInt(bytes, i));
      k *= M;
      k ^= k >>> 24;
      k *= M;
      h *= M;
      h ^= k;
    }
    int left = length & 3;
    if (left != 0) {
      if (left == 3) {
        h ^= bytes[tail + 2] << 16;
      }
      if (left >= 2) {
        h ^= bytes[tail + 1] << 8;
      }
      h ^= bytes[tail];
      h *= M;
    }
    h ^= h >>> 13;
    h *= M;
    h ^= h >>> 15;
    return h;
  }
}
