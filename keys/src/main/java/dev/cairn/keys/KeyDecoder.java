package dev.cairn.keys;

import dev.cairn.keys.type.KeyInput;
import dev.cairn.keys.type.KeyMismatchException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads keys. A key whose salt or hash is not the one of its other parts is refused: this format
 * would not find it. Safe for use by several threads.
 */
final class KeyDecoder {
  private final KeyFormat format;
  private final List<KeyPart> parts;

  KeyDecoder(KeyFormat format) {
    this.format = format;
    parts = format.parts();
  }

  KeyValues decode(byte[] key) {
    KeyInput in = new KeyInput(key);
    PartBounds bounds = new PartBounds(parts.size());
    Object[] values = new Object[format.valueParts().size()];
    int next = 0;
    for (int i = 0; i < parts.size(); i++) {
      KeyPart part = parts.get(i);
      int start = in.position();
      try {
        if (part instanceof ValuePart value) {
          values[next++] = read(value, in);
        } else {
          readOther(part, in);
        }
      } catch (KeyMismatchException e) {
        throw new KeyMismatchException(part.toString(), e);
      }
      bounds.set(i, start, in.contentEnd());
    }
    if (in.remaining() > 0) {
      throw new KeyMismatchException(in.position(), "bytes follow the last part");
    }
    checkComputed(key, bounds, values);
    return new KeyValues(format, values);
  }

  /**
   * Returns the values of the first parts of keys that begin with these bytes: of those that the
   * bytes have to their end. Salts and hashes are not checked.
   */
  List<Object> decodePrefix(byte[] prefix) {
    KeyInput in = new KeyInput(prefix);
    List<Object> values = new ArrayList<>();
    for (KeyPart part : parts) {
      if (part instanceof ValuePart value) {
        if (format.isOpen(value)) {
          return values; // Nothing in the bytes marks its end.
        }
        try {
          values.add(read(value, in));
        } catch (KeyMismatchException e) {
          return values;
        }
      } else {
        int left = in.remaining();
        try {
          readOther(part, in);
        } catch (KeyMismatchException e) {
          // Keys with another literal are not of this format.
          return part instanceof LiteralPart literal && left >= literal.width()
              ? List.of()
              : values;
        }
      }
    }
    return values;
  }

  private Object read(ValuePart part, KeyInput in) {
    in.begin(part.descending());
    return part.type().read(in, format.isOpen(part));
  }

  /** Reads a literal, or passes a salt or a hash. */
  private static void readOther(KeyPart part, KeyInput in) {
    in.begin(false);
    if (part instanceof LiteralPart literal) {
      byte[] expected = literal.bytes();
      if (!Arrays.equals(in.next(expected.length), expected)) {
        throw in.mismatch("other bytes than those of the literal");
      }
    } else {
      in.next(Computed.width(part));
    }
  }

  private void checkComputed(byte[] key, PartBounds bounds, Object[] values) {
    for (int i = 0; i < parts.size(); i++) {
      if (Computed.isComputed(parts.get(i))) {
        byte[] expected = Computed.compute(format, i, key, bounds, values);
        int start = bounds.start(i);
        if (!Arrays.equals(key, start, start + expected.length, expected, 0, expected.length)) {
          throw new KeyMismatchException(start, "another " + parts.get(i) + " than computed");
        }
      }
    }
  }
}
