package dev.cairn.engine.wal.file;

import java.util.Arrays;

/**
 * The dictionaries of a compressed log file, which its writer and reader build alike: the names
 * that came before, by kind, with the sizes of HBase's {@code CompressionContext}. One thread.
 */
final class WalDictionaries {
  /** The code in place of a number that means: length and bytes of a new name follow. */
  static final int NEW_NAME = 0xFF;

  final LruDictionary regions = new LruDictionary(Short.MAX_VALUE);
  final LruDictionary tables = new LruDictionary(Short.MAX_VALUE);
  final LruDictionary rows = new LruDictionary(Short.MAX_VALUE);
  final LruDictionary families = new LruDictionary(Byte.MAX_VALUE);
  final LruDictionary qualifiers = new LruDictionary(Byte.MAX_VALUE);
  final LruDictionary tags = new LruDictionary(Short.MAX_VALUE);

  /** Appends a name: two bytes of its number, or the mark, its length and itself. */
  static void put(
      LruDictionary dictionary, byte[] bytes, int offset, int length, WalBuffer target) {
    int number = dictionary.find(bytes, offset, length);
    if (number == LruDictionary.ABSENT) {
      target.putByte(NEW_NAME);
      target.putVarint(length);
      target.putBytes(bytes, offset, length);
    } else {
      target.putByte(number >>> 8);
      target.putByte(number);
    }
  }

  /**
   * Appends the value of an attribute as {@link #put}. After an empty one follows a byte without
   * meaning: HBase's reader fails where nothing follows the length 0.
   */
  static void putValue(LruDictionary dictionary, byte[] value, WalBuffer target) {
    put(dictionary, value, 0, value.length, target);
    if (value.length == 0) {
      target.putByte(0);
    }
  }

  /** Reads the value of an attribute, of HBase or of {@link #putValue}; as {@link #get}. */
  static byte[] getValue(LruDictionary dictionary, byte[] bytes, int offset, int length)
      throws WalDamage {
    boolean empty =
        length == 3
            && (bytes[offset] & 0xFF) == NEW_NAME
            && bytes[offset + 1] == 0
            && bytes[offset + 2] == 0;
    return get(dictionary, bytes, offset, empty ? 2 : length);
  }

  /**
   * Reads a name of a key, which is a field of its own.
   *
   * @throws WalDamage if the bytes are not a name and nothing else
   */
  static byte[] get(LruDictionary dictionary, byte[] bytes, int offset, int length)
      throws WalDamage {
    if (length >= 2 && (bytes[offset] & 0xFF) != NEW_NAME) {
      if (length == 2) {
        return dictionary.get((bytes[offset] & 0xFF) << 8 | bytes[offset + 1] & 0xFF);
      }
    } else if (length >= 2) {
      int at = offset + 1;
      int nameLength = 0;
      for (int shift = 0; at < offset + length && shift < 35; shift += 7) {
        byte b = bytes[at++];
        nameLength |= (b & 0x7F) << shift;
        if (b >= 0) {
          if (nameLength != offset + length - at) {
            break;
          }
          dictionary.add(bytes, at, nameLength);
          return Arrays.copyOfRange(bytes, at, at + nameLength);
        }
      }
    }
    throw WalDamage.wrong("expected a compressed name, found " + length + " other bytes");
  }
}
