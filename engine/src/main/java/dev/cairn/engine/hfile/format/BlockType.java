package dev.cairn.engine.hfile.format;

import dev.cairn.engine.cell.Bytes;
import java.util.Arrays;

/** The kinds of blocks in a file, each with the eight bytes that begin it. */
public enum BlockType {
  /** Cells, one after another. */
  DATA("DATABLK*"),
  /** Cells in a {@code DataBlockEncoding}, whose two-byte id comes first. */
  ENCODED_DATA("DATABLKE"),
  /** The level of a deep index that refers to data blocks. */
  LEAF_INDEX("IDXLEAF2"),
  /** The levels of a deep index between root and leaves. */
  INTERMEDIATE_INDEX("IDXINTE2"),
  /** The top of the index of data blocks, and the index of meta blocks. */
  ROOT_INDEX("IDXROOT2"),
  /** One part of a Bloom filter: bits and nothing else. */
  BLOOM_CHUNK("BLMFBLK2"),
  /** The index of the chunks of the filter over rows or columns. */
  GENERAL_BLOOM_META("BLMFMET2"),
  /** The index of the chunks of the filter over rows with delete markers for the family. */
  DELETE_FAMILY_BLOOM_META("DFBLMET2"),
  /** Names and values that describe the file. */
  FILE_INFO("FILEINF2"),
  /** A named block of the writer's own. */
  META("METABLKc");

  /** The length of the bytes that begin a block. */
  public static final int MAGIC_SIZE = 8;

  private final byte[] magic;

  BlockType(String magic) {
    this.magic = Bytes.utf8(magic);
  }

  /** Writes the bytes that begin a block of this type. */
  public void writeTo(byte[] target, int offset) {
    System.arraycopy(magic, 0, target, offset, MAGIC_SIZE);
  }

  /** Returns the bytes that begin a block of this type, as text. */
  public String magic() {
    return Bytes.utf8(magic);
  }

  private boolean at(byte[] bytes, int offset) {
    return Arrays.equals(magic, 0, MAGIC_SIZE, bytes, offset, offset + MAGIC_SIZE);
  }

  /** Returns the type whose magic is at {@code offset}, or null if there is none. */
  public static BlockType read(byte[] bytes, int offset) {
    for (BlockType type : values()) {
      if (type.at(bytes, offset)) {
        return type;
      }
    }
    return null;
  }
}
