package dev.cairn.keys.hash;

import java.util.Arrays;
import java.util.HexFormat;

/** A computed hash. Immutable. */
public final class HashValue {
  /** What the text of a hash begins with. */
  public static final String PREFIX = "#";

  private final byte[] bytes;

  /** Wraps the bytes of a hash, which must not change afterwards. */
  public HashValue(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Reads # and hexadecimal digits.
   *
   * @throws IllegalArgumentException if the text is something else
   */
  public static HashValue parse(String text) {
    if (!text.startsWith(PREFIX)) {
      throw new IllegalArgumentException("not a hash: " + text);
    }
    return new HashValue(HexFormat.of().parseHex(text.substring(PREFIX.length())));
  }

  /** Returns the bytes, which must not be changed. */
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HashValue hash && Arrays.equals(bytes, hash.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return PREFIX + HexFormat.of().formatHex(bytes);
  }
}
