package dev.cairn.keys.type;

import java.io.ByteArrayOutputStream;

/**
 * Bytes of variable length before another part. The plain form ends with 00, which the bytes do not
 * contain. The escaped form writes 00 as 00 FF, and ends with 00 00. Both sort a value before those
 * that it is the beginning of.
 */
final class Terminated {
  private static final int TERMINATOR = 0x00;
  private static final int ESCAPED_ZERO = 0xFF;

  private Terminated() {}

  static void write(byte[] bytes, KeyOutput out, boolean open, KeyType type) {
    if (!open) {
      refuseZero(bytes, type);
    }
    out.put(bytes);
    end(out, open);
  }

  /** Ends a value of the plain form. */
  static void end(KeyOutput out, boolean open) {
    out.endContent();
    if (!open) {
      out.put(TERMINATOR);
    }
  }

  static byte[] read(KeyInput in, boolean open) {
    return open ? in.next(in.remaining()) : in.nextUntil(TERMINATOR);
  }

  static void writeEscaped(byte[] bytes, KeyOutput out) {
    for (byte b : bytes) {
      out.put(b);
      if (b == TERMINATOR) {
        out.put(ESCAPED_ZERO);
      }
    }
    out.endContent();
    out.putNumber(TERMINATOR, 2);
  }

  static byte[] readEscaped(KeyInput in) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    while (true) {
      in.endContent();
      int next = in.next();
      if (next == TERMINATOR) {
        int escape = in.next();
        if (escape == TERMINATOR) {
          return bytes.toByteArray();
        }
        if (escape != ESCAPED_ZERO) {
          throw in.mismatch("00 is followed neither by FF nor by 00");
        }
      }
      bytes.write(next);
    }
  }

  /** Writes bytes and as many 00 after them as their width lacks. */
  static void writePadded(byte[] bytes, int width, int padding, KeyOutput out, KeyType type) {
    if (bytes.length > width) {
      throw new IllegalArgumentException(type + " has no value of " + bytes.length + " bytes");
    }
    out.put(bytes);
    for (int i = bytes.length; i < width; i++) {
      out.put(padding);
    }
  }

  static void refuseZero(byte[] bytes, KeyType type) {
    for (byte b : bytes) {
      if (b == 0) {
        throw new IllegalArgumentException(
            type + " has no value with the byte 00 here; declare the part as string(escaped)");
      }
    }
  }
}
