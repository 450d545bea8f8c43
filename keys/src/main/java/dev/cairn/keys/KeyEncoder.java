package dev.cairn.keys;

import dev.cairn.keys.type.KeyOutput;
import java.util.List;

/**
 * Writes keys. The places of salts and hashes are left free at first, and filled from the last one
 * to the first, because one that covers all later bytes needs the later ones. Safe for use by
 * several threads.
 */
final class KeyEncoder {
  private final KeyFormat format;
  private final List<KeyPart> parts;

  /** Whether a salt or a hash has to be filled in. */
  private final boolean hasComputed;

  KeyEncoder(KeyFormat format) {
    this.format = format;
    parts = format.parts();
    hasComputed = parts.stream().anyMatch(Computed::isComputed);
  }

  byte[] encode(Object[] values) {
    if (values.length != format.valueParts().size()) {
      throw new IllegalArgumentException(
          values.length + " values for " + format.valueParts().size() + " named parts");
    }
    KeyOutput out = new KeyOutput();
    PartBounds bounds = hasComputed ? new PartBounds(parts.size()) : null;
    int next = 0;
    for (int i = 0; i < parts.size(); i++) {
      int start = out.size();
      KeyPart part = parts.get(i);
      if (part instanceof ValuePart value) {
        write(value, values[next++], out);
      } else if (part instanceof LiteralPart literal) {
        out.begin(false);
        out.put(literal.bytes());
      } else {
        out.begin(false);
        out.put(new byte[Computed.width(part)]);
      }
      if (bounds != null) {
        bounds.set(i, start, out.contentEnd());
      }
    }
    byte[] key = out.toBytes();
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
