package dev.cairn.engine.schema;

import java.util.Arrays;
import java.util.zip.CRC32C;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;

/**
 * A checksum for small files that hold one protobuf message of HBase's, which has none. It is a
 * field of ours at the end of the message, which HBase's readers skip: a fixed32 under the number
 * 1001, the CRC-32C of all bytes of the file before the field. HBase's own files do not have it.
 */
public final class MessageChecksum {
  /** The length of the field, by which a message grows. */
  public static final int SIZE = 2 + Integer.BYTES;

  private static final int FIELD = 1001;
  private static final int FIXED32 = 5;
  private static final byte TAG_LOW = (byte) ((FIELD << 3 | FIXED32) & 0x7F | 0x80);
  private static final byte TAG_HIGH = (byte) ((FIELD << 3 | FIXED32) >>> 7);

  private MessageChecksum() {}

  /** Returns {@code content}, which ends with a message, with the field at its end. */
  public static byte[] append(byte[] content) {
    byte[] file = Arrays.copyOf(content, content.length + SIZE);
    file[content.length] = TAG_LOW;
    file[content.length + 1] = TAG_HIGH;
    int checksum = checksum(content, content.length);
    for (int i = 0; i < Integer.BYTES; i++) {
      file[content.length + 2 + i] = (byte) (checksum >>> 8 * i);
    }
    return file;
  }

  /**
   * Tells whether a file is intact, as far as its fields show: it has no unknown field, as in
   * HBase's own files, or only the right checksum.
   *
   * @param unknown the fields that are unknown in the message
   * @param content the whole file, which ends with the message
   */
  public static boolean holds(UnknownFieldSet unknown, byte[] content) {
    int at = content.length - SIZE;
    // Not the parser's field: a damaged length could have hidden it.
    if (at < 0 || content[at] != TAG_LOW || content[at + 1] != TAG_HIGH) {
      return unknown.asMap().isEmpty();
    }
    int found = 0;
    for (int i = Integer.BYTES - 1; i >= 0; i--) {
      found = found << 8 | content[at + 2 + i] & 0xFF;
    }
    return found == checksum(content, at);
  }

  /**
   * Returns a file's content without the field.
   *
   * @throws IllegalArgumentException if the checksum does not hold
   */
  public static byte[] checked(byte[] content) {
    int at = content.length - SIZE;
    if (at < 0 || content[at] != TAG_LOW || content[at + 1] != TAG_HIGH) {
      return content;
    }
    if (!holds(UnknownFieldSet.getDefaultInstance(), content)) {
      throw new IllegalArgumentException("it is damaged, its checksum does not hold");
    }
    return Arrays.copyOf(content, at);
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
