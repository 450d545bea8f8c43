package dev.cairn.engine.hfile.block;

/** One part of a Bloom filter: the bits in {@code bytes} from {@code from} to {@code to}. */
public record BloomChunk(byte[] bytes, int from, int to) implements CachedBlock {
  @Override
  public long weight() {
    return OVERHEAD + bytes.length;
  }

  /** Tells whether all bits of the key with these two hashes are set. */
  public boolean mayContain(int hash1, int hash2, int hashCount) {
    int bits = (to - from) * 8;
    int hash = hash1;
    for (int i = 0; i < hashCount; i++) {
      int bit = Math.abs(hash % bits);
      if ((bytes[from + (bit >> 3)] & 1 << (bit & 7)) == 0) {
        return false;
      }
      hash += hash2;
    }
    return true;
  }
}
