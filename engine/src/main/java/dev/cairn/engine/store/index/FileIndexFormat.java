package dev.cairn.engine.store.index;

import java.util.HexFormat;

/**
 * The meta blocks with the index of a column, in a store file. Nobody but Cairn writes or reads
 * them.
 *
 * <pre>
 *   CAIRN_INDEX_1.qualifier         the root, qualifier in hexadecimal digits:
 *     long entries | int chunks | for each chunk: long offset | int size | its first entry
 *   a chunk, without a name: entries
 *   entry:
 *     packed bytes shared with the value before | packed length of the rest | rest of the value |
 *     packed length of the row | row
 *   CAIRN_INDEX_VALUES_1.qualifier  tells which values the index may have:
 *     packed length | the greatest value | the meta block of a Bloom filter of the values
 *   a chunk of the Bloom filter, without a name: bits
 * </pre>
 *
 * <p>An entry consists of the beginning of a value and a row ({@link
 * dev.cairn.engine.index.IndexEntry}). Entries ascend by value, then by row; equal ones are stored
 * once. The first entry of a chunk, and each entry of the root, shares nothing. A packed number has
 * seven bits in a byte, the lowest first; all bytes but the last are negative. The number in a
 * block's name is the version of its format.
 *
 * <p>The Bloom filter has the format of {@link dev.cairn.engine.hfile.bloom.BloomWriter}; its keys
 * are the values of the entries. Files of earlier versions have an index without the block {@code
 * CAIRN_INDEX_VALUES_1}, and so has an index without entries.
 */
final class FileIndexFormat {
  /** The bytes of a chunk after which the next one begins. */
  static final int CHUNK_BYTES = 32 << 10;

  private FileIndexFormat() {}

  /** Returns the name of the root of a column's index. */
  static String root(byte[] qualifier) {
    return "CAIRN_INDEX_1." + HexFormat.of().formatHex(qualifier);
  }

  /** Returns the name of the block that tells which values the index of a column may have. */
  static String values(byte[] qualifier) {
    return "CAIRN_INDEX_VALUES_1." + HexFormat.of().formatHex(qualifier);
  }
}
