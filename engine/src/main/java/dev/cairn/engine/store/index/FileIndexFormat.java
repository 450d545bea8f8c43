package dev.cairn.engine.store.index;

import dev.cairn.engine.cell.Bytes;
import java.util.HexFormat;

/**
 * The meta blocks with the index of a column, in a store file. Nobody but Cairn writes or reads
 * them.
 *
 * <pre>
 *   CAIRN_INDEX.qualifier           the root, qualifier in hexadecimal digits:
 *     byte version (1) | long entries | int chunks | for each chunk: its first entry
 *   CAIRN_INDEX.qualifier.number    a chunk, number in 8 hexadecimal digits: entries
 *   entry:
 *     packed bytes shared with the value before | packed length of the rest | rest of the value |
 *     packed length of the row | row
 * </pre>
 *
 * <p>An entry consists of the beginning of a value and a row ({@link
 * dev.cairn.engine.index.IndexEntry}). Entries ascend by value, then by row; equal ones are stored
 * once. The first entry of a chunk, and each entry of the root, shares nothing. A packed number is
 * a VInt of Hadoop.
 */
final class FileIndexFormat {
  static final int VERSION = 1;

  /** The bytes of a chunk after which the next one begins. */
  static final int CHUNK_BYTES = 32 << 10;

  private FileIndexFormat() {}

  /** Returns the name of the root of a column's index. */
  static String root(byte[] qualifier) {
    return "CAIRN_INDEX." + HexFormat.of().formatHex(qualifier);
  }

  /** Returns the name of a chunk, counted from 0. */
  static String chunk(byte[] qualifier, int number) {
    return root(qualifier) + "." + HexFormat.of().toHexDigits(number);
  }

  /** Tells whether a meta block belongs to an index. */
  static boolean isIndex(String name) {
    return name.startsWith(root(Bytes.EMPTY));
  }
}
