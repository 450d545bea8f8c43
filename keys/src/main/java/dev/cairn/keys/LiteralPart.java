package dev.cairn.keys;

import dev.cairn.keys.type.KeyOutput;
import dev.cairn.keys.type.Text;
import java.util.Arrays;

/** Bytes that all keys have at this place, such as a version or the kind of a row. */
public final class LiteralPart implements KeyPart {
  private final byte[] bytes;

  /** Copies the bytes. */
  public LiteralPart(byte[] bytes) {
    if (bytes.length == 0) {
      throw new IllegalArgumentException("a literal has at least one byte");
    }
    this.bytes = bytes.clone();
  }

  /** Returns a copy of the bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Returns the number of bytes. */
  int width() {
    return bytes.length;
  }

  /** Appends the bytes to a key. */
  void write(KeyOutput out) {
    out.put(bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LiteralPart literal && Arrays.equals(bytes, literal.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "literal(" + Text.hex(bytes) + ")";
  }
}
