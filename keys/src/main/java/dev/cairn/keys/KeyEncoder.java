package dev.cairn.keys;

import dev.cairn.keys.type.KeyOutput;
import java.util.List;

/**
 * Writes keys. The places of salts and hashes are left free at first, and filled from the last one
 * to the first, because one that covers all later bytes needs the later ones. Safe for use by
 * several threads.
 */
final class KeyEncoder {
  /** An estimate for values whose size is not known in advance. */
  private static final int LIKELY_BYTES = 8;

  private final KeyFormat format;
  private final List<KeyPart> parts;

  /** Whether a salt or a hash has to be filled in. */
  private final boolean hasComputed;

  /** The bits of all parts whose width is fixed. */
  private final int fixedBits;

  KeyEncoder(KeyFormat format) {
    this.format = format;
    parts = format.parts();
    hasComputed = parts.stream().anyMatch(Computed::isComputed);
    fixedBits = parts.stream().mapToInt(KeyEncoder::fixedBits).sum();
  }

  private static int fixedBits(KeyPart part) {
    if (part instanceof ValuePart value) {
      return Math.max(0, value.type().widthBits());
    }
    return Byte.SIZE
        * (part instanceof LiteralPart literal ? literal.width() : Computed.width(part));
  }

  /**
   * Returns the size of the key of these values, if its variable parts are strings of ASCII without
   * escapes, or bytes. Keys with other values may be longer or shorter.
   */
  private int likelySize(Object[] values) {
    int size = (fixedBits + Byte.SIZE - 1) / Byte.SIZE;
    for (int i = 0; i < values.length; i++) {
      ValuePart part = format.valueParts().get(i);
      if (part.type().widthBits() < 0) {
        size += likelySize(values[i]) + (format.isOpen(part) ? 0 : 1);
      }
    }
    return size;
  }

  private static int likelySize(Object value) {
    if (value instanceof String string) {
      return string.length();
    }
    return value instanceof byte[] bytes ? bytes.length : LIKELY_BYTES;
  }

  byte[] encode(Object[] values) {
    if (values.length != format.valueParts().size()) {
      throw new IllegalArgumentException(
          values.length + " values for " + format.valueParts().size() + " named parts");
    }
    KeyOutput out = new KeyOutput(likelySize(values));
    PartBounds bounds = hasComputed ? new PartBounds(parts.size()) : null;
    int next = 0;
    for (int i = 0; i < parts.size(); i++) {
      int start = out.size();
      KeyPart part = parts.get(i);
      if (part instanceof ValuePart value) {
        write(value, values[next++], out);
      } else if (part instanceof LiteralPart literal) {
        out.begin(false);
        literal.write(out);
      } else {
        out.begin(false);
        out.putNumber(0, Computed.width(part));
      }
      if (bounds != null) {
        bounds.set(i, start, out.contentEnd());
      }
    }
    byte[] key = out.takeBytes();
    if (bounds != null) {
      fill(key, bounds, values);
    }
    return key;
  }

  private void fill(byte[] key, PartBounds bounds, Object[] values) {
    for (int i = parts.size() - 1; i >= 0; i--) {
      if (Computed.isComputed(parts.get(i))) {
        byte[] computed = Computed.compute(format, i, key, bounds, values);
        System.arraycopy(computed, 0, key, bounds.start(i), computed.length);
      }
    }
  }

  /** Writes one value, and names its part if it is refused. */
  void write(ValuePart part, Object value, KeyOutput out) {
    out.begin(part.descending());
    try {
      if (part.type().hasNullFirst() && part.type().isNull(value) && format.isLast(part)) {
        throw new IllegalArgumentException(
            "no null at the end of a key, which Phoenix cuts off; fill the column");
      }
      part.type().write(value, out, format.isOpen(part));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("part " + part.name() + ": " + e.getMessage(), e);
    }
  }
}
