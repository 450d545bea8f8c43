package dev.cairn.keys.type;

import dev.cairn.keys.hash.HashFunction;
import dev.cairn.keys.hash.HashValue;

/**
 * The hash of a value instead of the value, which cannot be read back. It accepts {@link String}
 * (its UTF-8), {@code byte[]}, and {@link HashValue} (a hash that is already computed), which it
 * reads.
 *
 * @param function the hash function
 * @param width how many bytes of the hash are kept
 */
public record HashedType(HashFunction function, int width) implements KeyType {
  /** Checks the width. */
  public HashedType {
    Widths.check(function.word(), width, function.width());
  }

  @Override
  public Class<HashValue> valueClass() {
    return HashValue.class;
  }

  @Override
  public int widthBits() {
    return width * Byte.SIZE;
  }

  @Override
  public boolean isOrdered() {
    return false;
  }

  @Override
  public void write(Object value, KeyOutput out, boolean open) {
    if (value instanceof String string) {
      out.put(function.hash(Text.utf8(string), width));
    } else if (value instanceof byte[] bytes) {
      out.put(function.hash(bytes, width));
    } else if (value instanceof HashValue hash && hash.bytes().length == width) {
      out.put(hash.bytes());
    } else {
      throw KeyType.refused(this, value);
    }
  }

  @Override
  public Object read(KeyInput in, boolean open) {
    return new HashValue(in.next(width));
  }

  /** Reads # and hexadecimal digits as a hash, and other text as the value. */
  @Override
  public Object parse(String text) {
    return text.startsWith(HashValue.PREFIX) ? HashValue.parse(text) : Text.unquote(text);
  }

  @Override
  public String toString() {
    return "hash(" + function.word() + (width < function.width() ? ", " + width : "") + ")";
  }
}
