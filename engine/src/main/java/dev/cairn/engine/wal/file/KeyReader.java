package dev.cairn.engine.wal.file;

import java.io.IOException;
import java.util.zip.CRC32C;

/** Finds and checks keys in a log file, with their length prefix and checksum. One thread. */
final class KeyReader {
  private static final int PREFIX_SIZE_MAX = 5;

  private final WalInput input;
  private final WalHeader header;
  private final CRC32C crc = new CRC32C();

  KeyReader(WalInput input, WalHeader header) {
    this.input = input;
    this.header = header;
  }

  /**
   * Reads the key at {@code at}, whose bytes the input then has at hand, and returns where it ends.
   *
   * @param limit no key reaches beyond
   * @param lengthMax no key is longer
   */
  long read(long at, long limit, int lengthMax, WalKey target) throws IOException, WalDamage {
    int prefix = (int) Math.min(PREFIX_SIZE_MAX, limit - at);
    int index = input.load(at, prefix, limit, "length");
    int length = 0;
    int used = 0;
    while (true) {
      if (used == prefix) {
        throw used == PREFIX_SIZE_MAX
            ? WalDamage.wrong("expected a key length, found a number of more than 5 bytes")
            : WalDamage.pastEnd("key length", used + 1, used);
      }
      byte b = input.bytes()[index + used];
      length |= (b & 0x7F) << (7 * used++);
      if (b >= 0) {
        break;
      }
    }
    if (length <= 0 || length > lengthMax) {
      throw WalDamage.wrong("expected a key of 1 to " + lengthMax + " bytes, found " + length);
    }
    index = input.load(at, used + length, limit, "key");
    int end = index + used + length;
    if (header.isChecksummed()) {
      WalKey.verify(crc, input.bytes(), index, end, header.salt());
    }
    target.parse(input.bytes(), index + used, end, header.isChecksummed());
    return at + used + length;
  }
}
