package dev.cairn.keys.type;

import java.util.Arrays;

/**
 * Strings as UTF-8, in the order of their code points.
 *
 * @param form how the end of the string is found
 * @param width the width in bytes of the form {@link Form#FIXED}; 0 otherwise
 */
public record StringType(Form form, int width) implements KeyType {
  /** How the end of a value is found. */
  public enum Form {
    /** 00 ends it, unless it ends an ascending key. A value before others cannot contain 00. */
    TERMINATED,
    /** Padded with 00 to a fixed width. */
    FIXED,
    /** Any value; 00 is written as 00 FF, and 00 00 ends it. */
    ESCAPED
  }

  /** Checks the width. */
  public StringType {
    Widths.check("string", form == Form.FIXED ? width : 1, Short.MAX_VALUE);
  }

  @Override
  public Class<String> valueClass() {
    return String.class;
  }

  @Override
  public int widthBits() {
    return form == Form.FIXED ? width * Byte.SIZE : VARIABLE;
  }

  @Override
  public void write(Object value, KeyOutput out, boolean open) {
    if (!(value instanceof String string)) {
      throw KeyType.refused(this, value);
    }
    if (form == Form.TERMINATED && out.putAscii(string)) {
      Terminated.end(out, open);
      return;
    }
    byte[] utf8 = Text.utf8(string);
    switch (form) {
      case TERMINATED -> Terminated.write(utf8, out, open, this);
      case ESCAPED -> Terminated.writeEscaped(utf8, out);
      case FIXED -> {
        Terminated.refuseZero(utf8, this);
        Terminated.writePadded(utf8, width, 0, out, this);
      }
    }
  }

  @Override
  public Object read(KeyInput in, boolean open) {
    byte[] utf8 =
        switch (form) {
          case TERMINATED -> Terminated.read(in, open);
          case ESCAPED -> Terminated.readEscaped(in);
          case FIXED -> unpadded(in);
        };
    return Text.string(utf8, in);
  }

  private byte[] unpadded(KeyInput in) {
    byte[] padded = in.next(width);
    int end = 0;
    while (end < width && padded[end] != 0) {
      end++;
    }
    for (int i = end; i < width; i++) {
      if (padded[i] != 0) {
        throw in.mismatch("bytes follow the padding");
      }
    }
    return Arrays.copyOf(padded, end);
  }

  @Override
  public String print(Object value) {
    return Text.quote((String) value);
  }

  @Override
  public Object parse(String text) {
    return Text.unquote(text);
  }

  @Override
  public String toString() {
    return switch (form) {
      case TERMINATED -> "string";
      case FIXED -> "string(" + width + ")";
      case ESCAPED -> "string(escaped)";
    };
  }
}
