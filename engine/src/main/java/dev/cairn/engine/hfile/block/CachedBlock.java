package dev.cairn.engine.hfile.block;

/** A block in the form in which it is searched. Immutable; any number of threads. */
public sealed interface CachedBlock
    permits DataBlock, IndexBlock, CachedBlock.BloomChunk, CachedBlock.MetaContent {
  /** The approximate size of a block's objects without their arrays' elements, bytes. */
  int OVERHEAD = 160;

  /** Returns the memory that the block takes, bytes. */
  long weight();

  /** One part of a Bloom filter: the bits in {@code bytes} from {@code from} to {@code to}. */
  record BloomChunk(byte[] bytes, int from, int to) implements CachedBlock {
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

  /** A meta block in the form in which its reader searches it. */
  non-sealed interface MetaContent extends CachedBlock {}
}
