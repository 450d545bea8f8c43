package dev.cairn.engine.hfile.cache;

/** The kinds of blocks that are looked up in the cache. Open files keep all others themselves. */
public enum BlockKind {
  /** Cells. */
  DATA,
  /** The lowest level of an index with more than one. */
  LEAF_INDEX,
  /** A level of an index between the root and the leaves. */
  INTERMEDIATE_INDEX,
  /** A part of a Bloom filter. */
  BLOOM_CHUNK,
  /** A part of a secondary index. */
  META
}
