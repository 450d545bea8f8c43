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
 * </pre>
 *
 * <p>An entry consists of the beginning of a value and a row ({@link
 * dev.cairn.engine.index.IndexEntry}). Entries ascend by value, then by row; equal ones are stored
 * once. The first entry of a chunk, and each entry of the root, shares nothing. A packed number has
 * seven bits in a byte, the lowest first; all bytes but the last are negative. The number in the
 * root's name is the version of the format.
 */
final class FileIndexFormat {
  /** The bytes of a chunk after which the next one begins. */
  static final int CHUNK_BYTES = 32 << 10;

  private FileIndexFormat() {}

  /** Returns the name of the root of a column's index. */
  static String root(byte[] qualifier) {
    return "CAIRN_INDEX_1." + HexFormat.of().formatHex(qualifier);
  }
}
