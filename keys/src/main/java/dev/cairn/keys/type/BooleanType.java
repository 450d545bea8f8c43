package dev.cairn.keys.type;

/** {@code false} as 00 and {@code true} as 01. */
public record BooleanType() implements KeyType {
  @Override
  public Class<Boolean> valueClass() {
    return Boolean.class;
  }

  @Override
  public int widthBits() {
    return Byte.SIZE;
  }

  @Override
  public void write(Object value, KeyOutput out, boolean open) {
    if (!(value instanceof Boolean is)) {
      throw KeyType.refused(this, value);
    }
    out.put(is ? 1 : 0);
  }

  @Override
  public Object read(KeyInput in, boolean open) {
    int value = in.next();
    if (value > 1) {
      throw in.mismatch("neither 00 nor 01");
    }
    return value == 1;
  }

  @Override
  public Object parse(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw KeyType.refused(this, text);
    };
  }

  @Override
  public String toString() {
    return "boolean";
  }
}
