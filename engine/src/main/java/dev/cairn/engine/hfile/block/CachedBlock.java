package dev.cairn.engine.hfile.block;

/** A block in the form in which it is searched. Immutable; any number of threads. */
public sealed interface CachedBlock permits DataBlock, IndexBlock, BloomChunk {
  /** The approximate size of a block's objects without their arrays' elements, bytes. */
  int OVERHEAD = 160;

  /** Returns the memory that the block takes, bytes. */
  long weight();
}
