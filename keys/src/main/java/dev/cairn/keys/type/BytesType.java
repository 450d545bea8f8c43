package dev.cairn.keys.type;

/**
 * Bytes as they are, in unsigned order.
 *
 * @param form how the end of the bytes is found
 * @param width the width of the form {@link Form#FIXED}; 0 otherwise
 */
public record BytesType(Form form, int width) implements KeyType {
  /** How the end of a value is found. */
  public enum Form {
    /** The rest of an ascending key. */
    REST,
    /** All values have the same width. */
    FIXED,
    /** 00 is written as 00 FF, and 00 00 ends the value. */
    ESCAPED
  }

  /** Checks the width. */
  public BytesType {
    Widths.check("bytes", form == Form.FIXED ? width : 1, Short.MAX_VALUE);
  }

  @Override
  public Class<byte[]> valueClass() {
    return byte[].class;
  }

  @Override
  public int widthBits() {
    return form == Form.FIXED ? width * Byte.SIZE : VARIABLE;
  }

  @Override
  public boolean mustBeOpen(boolean descending) {
    return form == Form.REST;
  }

  @Override
  public void write(Object value, KeyOutput out, boolean open) {
    if (!(value instanceof byte[] bytes)) {
      throw KeyType.refused(this, value);
    }
    if (form == Form.ESCAPED) {
      Terminated.writeEscaped(bytes, out);
      return;
    }
    if (form == Form.FIXED && bytes.length != width) {
      throw new IllegalArgumentException(this + " has no value of " + bytes.length + " bytes");
    }
    out.put(bytes);
  }

  @Override
  public Object read(KeyInput in, boolean open) {
    return switch (form) {
      case REST -> in.next(in.remaining());
      case FIXED -> in.next(width);
      case ESCAPED -> Terminated.readEscaped(in);
    };
  }

  @Override
  public String print(Object value) {
    return Text.hex((byte[]) value);
  }

  @Override
  public Object parse(String text) {
    return Text.bytes(text);
  }

  @Override
  public String toString() {
    return switch (form) {
      case REST -> "bytes";
      case FIXED -> "bytes(" + width + ")";
      case ESCAPED -> "bytes(escaped)";
    };
  }
}
