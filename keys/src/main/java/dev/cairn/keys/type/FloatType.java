package dev.cairn.keys.type;

/**
 * Floating-point numbers in the order of {@link Double#compare}: -0.0 before 0.0, and NaN last. The
 * bits of positive numbers get a flipped sign; those of negative ones are inverted.
 *
 * @param width 4 for {@link Float}; 8 for {@link Double}, which accepts {@link Float}, too
 */
public record FloatType(int width) implements KeyType {
  @Override
  public Class<?> valueClass() {
    return width == Float.BYTES ? Float.class : Double.class;
  }

  @Override
  public int widthBits() {
    return width * Byte.SIZE;
  }

  @Override
  public void write(Object value, KeyOutput out, boolean open) {
    if (width == Float.BYTES && value instanceof Float number) {
      out.putNumber(sortable(Float.floatToIntBits(number)), width);
    } else if (width == Double.BYTES && (value instanceof Double || value instanceof Float)) {
      out.putNumber(sortable(Double.doubleToLongBits(((Number) value).doubleValue())), width);
    } else {
      throw KeyType.refused(this, value);
    }
  }

  @Override
  public Object read(KeyInput in, boolean open) {
    long bits = in.nextNumber(width);
    if (width == Float.BYTES) {
      int sorted = (int) bits;
      return Float.intBitsToFloat(sorted < 0 ? sorted ^ Integer.MIN_VALUE : ~sorted);
    }
    return Double.longBitsToDouble(bits < 0 ? bits ^ Long.MIN_VALUE : ~bits);
  }

  private static long sortable(int bits) {
    return bits < 0 ? ~bits : bits ^ Integer.MIN_VALUE;
  }

  private static long sortable(long bits) {
    return bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
  }

  @Override
  public Object parse(String text) {
    return width == Float.BYTES ? (Object) Float.valueOf(text) : (Object) Double.valueOf(text);
  }

  @Override
  public String toString() {
    return width == Float.BYTES ? "float" : "double";
  }
}
