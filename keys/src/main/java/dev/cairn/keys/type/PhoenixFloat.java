package dev.cairn.keys.type;

/** Phoenix's floating-point numbers: those of {@link FloatType} as a whole number, plus 1. */
final class PhoenixFloat {
  private PhoenixFloat() {}

  static void write(FloatType type, Object value, KeyOutput out) {
    KeyOutput plain = new KeyOutput();
    type.write(value, plain, false);
    out.putNumber(new KeyInput(plain.toBytes()).nextNumber(type.width()) + 1, type.width());
  }

  static Object read(FloatType type, KeyInput in) {
    KeyOutput plain = new KeyOutput();
    plain.putNumber(in.nextNumber(type.width()) - 1, type.width());
    return type.read(new KeyInput(plain.toBytes()), false);
  }
}
